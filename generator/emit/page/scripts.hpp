// Scripts of components, taken into the server as they are.
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

// scripts.cpp, and the files that it takes in. The first of them mounts the components.
void put_scripts(const plan::Plan& plan, const Scripts& scripts, FileSet& files);

}  // namespace svc::emit
