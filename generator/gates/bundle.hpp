// The scripts of the components that pages show: ES modules, minified, made by esbuild.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "build/build.hpp"
#include "emit/page/scripts.hpp"

namespace svc::gates {

struct BundleJob {
    std::vector<std::pair<std::string, std::string>> components;  // name and source, of all
    std::vector<std::string> shown;                               // names of those on pages
    emit::FileSet client;                                         // client/*.ts of this contract
};

// The script that mounts the components comes first. Scripts that were made before are cached. The
// components must have passed their gates. Blocks. Throws std::runtime_error with a message for
// people.
emit::Scripts bundle(const BundleJob& job, const build::Settings& settings);

}  // namespace svc::gates
