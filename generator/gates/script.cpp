#include "gates/script.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/read_file.hpp"
#include "build/node.hpp"
#include "gates/permit.hpp"

namespace svc::gates {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 300;
// Address space, of which Node reserves much and uses little.
constexpr unsigned kAddressMb = 32 * 1024;
constexpr const char* kHeap = "--max-old-space-size=1024";

}  // namespace

std::string scripts_hash() { return base::read_file(build::web_folder() + "/made").value_or(""); }

std::string lacking(const build::Settings& settings, bool inside) {
    const std::string web = build::web_folder();
    if (build::find_node().empty())
        return "Components are checked under Node.js, which is not installed. Install the Debian "
               "package nodejs.";
    if (::access((web + "/node_modules/typescript/package.json").c_str(), R_OK) != 0)
        return "Components are checked by the folder " + web +
               ", which the build makes. Run ./run build.";
    if (!inside && settings.sandbox != build::Sandbox::off)
        return "Components run only in the sandbox, which this machine does not have: " +
               build::sandbox_trouble() +
               ". Only SVC_SANDBOX=off runs them without it, with the rights of the service.";
    return {};
}

ScriptRun::ScriptRun(const char* script, const std::string& job, const build::Settings& settings,
                     bool inside)
    : work_(build::Cache(settings.cache)) {
    const std::string own = work_.path() + "/own", file = work_.path() + "/job.json";
    fs::create_directories(own);
    std::ofstream(file, std::ios::binary) << job;
    const std::string web = build::web_folder(), node = build::find_node();
    build::Child child{
        {node, kHeap, web + "/components/" + script, file}, work_.path(), kAddressMb, kSeconds};
    child.sandbox = inside;
    child.kind = build::ProgramKind::node;
    child.writable = own;
    child.readable = {web};
    if (!node.starts_with("/usr/")) child.readable.push_back(fs::canonical(node).parent_path());
    const Permit permit(settings.party);
    ended_ = build::run(child);
}

}  // namespace svc::gates
