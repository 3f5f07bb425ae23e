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

// The one that mounts them comes first. What was made before is not made again. The components have
// passed their gates. Blocks; throws std::runtime_error in words for people.
emit::Scripts bundle(const BundleJob& job, const build::Settings& settings);

}  // namespace svc::gates
