#include "browser/program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "build/node.hpp"
#include "build/process.hpp"
#include "build/sandbox.hpp"

namespace svc::devapi {
namespace {

// The program's own files, and a browser that is not the system's.
std::vector<std::string> readable(const Config& config, const std::string& node) {
    std::vector<std::string> out;
    for (const std::string& program : {node, config.chromium})
        if (!program.starts_with("/usr/"))
            out.push_back(std::filesystem::canonical(program).parent_path());
    return out;
}

}  // namespace

std::string browser_log(const Config& config) { return config.home + "/browser.log"; }

Child browser_program(const Config& config) {
    const std::string node = build::find_node(), folder = build::web_folder();
    Child out;
    out.argv = {node, folder + "/screenshot/main.mjs"};
    out.output = browser_log(config);
    out.environment = {{"HOME", "/tmp"},
                       {"TMPDIR", "/tmp"},
                       {"SVC_CHROMIUM", config.chromium},
                       {"SVC_SANDBOX", config.sandbox}};
    if (const char* idle = std::getenv("SVC_BROWSER_IDLE_SECONDS"))
        out.environment.emplace_back("SVC_BROWSER_IDLE_SECONDS", idle);
    if (!build::sandboxed(build::sandbox_of(config.sandbox))) {
        if (::geteuid() == 0) out.user = find_user(config.app_user);
        return out;
    }
    build::Child inside{out.argv, folder};
    inside.sandbox = true;
    inside.kind = build::ProgramKind::browser;
    inside.readable = readable(config, node);
    out.argv = build::in_sandbox(inside);
    return out;
}

}  // namespace svc::devapi
