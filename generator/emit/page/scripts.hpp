// Embeds the scripts of components in the server unchanged.
#pragma once

#include <string>
#include <vector>

#include "emit/file_set.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

struct Script {
    std::string name;  // mount-8ac3d56e621d.js: the file's below /assets, by its content
    std::string text;
};
using Scripts = std::vector<Script>;

// scripts.cpp, and the files that it embeds. The first file mounts the components.
void put_scripts(const plan::Plan& plan, const Scripts& scripts, FileSet& files);

}  // namespace svc::emit
