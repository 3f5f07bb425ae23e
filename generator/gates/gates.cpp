#include "gates/gates.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <sstream>

#include "build/cache.hpp"
#include "build/node.hpp"
#include "build/process.hpp"
#include "gates/memory.hpp"

namespace svc::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr unsigned kSeconds = 300;
// Address space, of which Node reserves much and uses little.
constexpr unsigned kAddressMb = 32 * 1024;
constexpr const char* kHeap = "--max-old-space-size=1024";
constexpr const char* kStages[] = {"static", "types", "compile", "render"};

// A compiler of types takes a core and some hundred megabytes.
std::counting_semaphore<2> together{2};

std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

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

json prop_json(const Prop& prop) {
    return {{"name", prop.name},
            {"json", prop.json},
            {"type", prop.type.empty() ? json() : json(prop.type)}};
}

std::string job_text(const Job& job, const std::vector<bool>& known) {
    json components = json::array(), uses = json::array(), client;
    for (std::size_t i = 0; i < job.components.size(); ++i) {
        const Component& one = job.components[i];
        components.push_back({{"name", one.name},
                              {"source", one.source},
                              {"sample", one.sample.empty() ? json() : json::parse(one.sample)},
                              {"gated", !known[i]}});
    }
    for (const auto& [name, text] : job.client) client[fs::path(name).filename()] = text;
    for (const Use& use : job.uses) {
        json props = json::array();
        for (const Prop& prop : use.props) props.push_back(prop_json(prop));
        uses.push_back({{"component", use.component}, {"props", props}});
    }
    return json{{"components", components}, {"client", client}, {"uses", uses}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
}

GateFinding finding_of(const json& one) {
    GateFinding out;
    out.component = one.value("component", "");
    if (one.contains("use")) out.use = one["use"].get<std::size_t>();
    out.sample = one.value("sample", false);
    out.line = one.value("line", 1);
    out.column = one.value("column", 1);
    out.message = one.value("message", "");
    return out;
}

std::string why_no_answer(const build::Ended& ended) {
    if (ended.timed_out) return "The check of the components took longer than five minutes.";
    return "The check of the components ended before its end: " + ended.output.substr(0, 500);
}

Report report_of(const build::Ended& ended) {
    Report out;
    const json said = json::parse(ended.output, nullptr, false);
    if (!ended.ok || !said.is_object()) {
        out.trouble = why_no_answer(ended);
        return out;
    }
    out.passed = said.value("passed", std::vector<std::string>());
    out.stage = said.value("stage", "");
    for (const json& one : said.value("errors", json::array()))
        out.errors.push_back(finding_of(one));
    return out;
}

Report ask(const Job& job, const Memory& memory, const build::Settings& settings, bool inside) {
    const build::Cache cache(settings.cache);
    const build::WorkFolder work(cache);
    const std::string own = work.path() + "/own", file = work.path() + "/job.json";
    fs::create_directories(own);
    std::ofstream(file, std::ios::binary) << job_text(job, memory.known_components());
    const std::string web = build::web_folder(), node = build::find_node();
    build::Child child{
        {node, kHeap, web + "/components/gate.mjs", file}, work.path(), kAddressMb, kSeconds};
    child.sandbox = inside;
    child.inmate = build::Inmate::node;
    child.writable = own;
    child.readable = {web};
    if (!node.starts_with("/usr/")) child.readable.push_back(fs::canonical(node).parent_path());
    return report_of(build::run(child));
}

}  // namespace

Report run(const Job& job, const build::Settings& settings) {
    Report out;
    out.passed.assign(std::begin(kStages), std::end(kStages));
    if (job.components.empty()) return out;
    const Memory memory(settings.cache, job, text_of(build::web_folder() + "/made"));
    if (memory.knows_all()) return out;
    const bool inside = build::sandboxed(settings.sandbox);
    if (std::string lack = lacking(settings, inside); !lack.empty()) {
        out.passed.clear();
        out.trouble = std::move(lack);
        return out;
    }
    together.acquire();
    try {
        out = ask(job, memory, settings, inside);
    } catch (...) {
        together.release();
        throw;
    }
    together.release();
    if (out.ok()) memory.remember();
    return out;
}

}  // namespace svc::gates
