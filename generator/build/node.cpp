#include "build/node.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace svc::build {

std::string find_node() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string program = folder + "/node";
        if (folder.starts_with('/') && ::access(program.c_str(), X_OK) == 0) return program;
    }
    return {};
}

std::string web_folder() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "web").string();
}

}  // namespace svc::build
