#include "build/toolchain.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/read_file.hpp"
#include "build/build.hpp"

namespace svc::build {
namespace {

std::string read(const std::string& path) {
    auto text = base::read_file(path);
    if (!text)
        throw std::runtime_error(
            "The toolchain is incomplete: " + path +
            " cannot be read. Build the target `toolchain`, or set SVC_TOOLCHAIN.");
    return std::move(*text);
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string word; in >> word;) all.push_back(word);
    return all;
}

}  // namespace

Toolchain load_toolchain(const std::string& folder) {
    Toolchain toolchain;
    toolchain.folder = folder;
    toolchain.compile_flags = words(read(folder + "/compile.flags"));
    if (toolchain.compile_flags.empty()) {
        throw std::runtime_error(folder + "/compile.flags does not name a compiler");
    }
    toolchain.compiler = toolchain.compile_flags.front();
    toolchain.compile_flags.erase(toolchain.compile_flags.begin());
    toolchain.link_flags = words(read(folder + "/link.flags"));
    toolchain.fingerprint = read(folder + "/fingerprint");
    return toolchain;
}

std::string default_toolchain() {
    if (const char* chosen = std::getenv("SVC_TOOLCHAIN"); chosen != nullptr && *chosen != '\0') {
        return chosen;
    }
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "toolchain";
}

}  // namespace svc::build
