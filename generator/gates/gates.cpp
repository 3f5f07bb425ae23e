#include "gates/gates.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gates/pass_cache.hpp"
#include "gates/permit.hpp"
#include "gates/script.hpp"

namespace svc::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr Gate kGates[] = {Gate::statics, Gate::types, Gate::compile, Gate::render};

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
    for (const ComponentUse& use : job.uses) {
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
    return "The check of the components stopped early: " + ended.output.substr(0, 500);
}

Report report_of(const build::Ended& ended) {
    Report out;
    const json answer = json::parse(ended.output, nullptr, false);
    if (!ended.ok || !answer.is_object()) {
        out.trouble = why_no_answer(ended);
        return out;
    }
    for (const std::string& one : answer.value("passed", std::vector<std::string>()))
        if (const auto gate = base::read_word<Gate>(one)) out.passed.push_back(*gate);
    const std::string failed = answer.value("stage", "");
    out.failed = base::read_word<Gate>(failed);
    if (!failed.empty() && !out.failed) out.trouble = why_no_answer(ended);
    for (const json& one : answer.value("errors", json::array()))
        out.errors.push_back(finding_of(one));
    return out;
}

}  // namespace

emit::FileSet client_of(const emit::FileSet& files) {
    emit::FileSet out;
    for (const auto& [name, text] : files)
        if (name.starts_with("client/")) out.emplace(name, text);
    return out;
}

Report run(const Job& job, const build::Settings& settings) {
    Report out;
    out.passed.assign(std::begin(kGates), std::end(kGates));
    if (job.components.empty()) return out;
    const PassCache passed(settings.cache, job, scripts_hash());
    if (passed.has_all()) return out;
    const bool inside = build::sandboxed(settings.sandbox);
    if (std::string lack = lacking(settings, inside); !lack.empty()) {
        out.passed.clear();
        out.trouble = std::move(lack);
        return out;
    }
    try {
        const ScriptRun asked("gate.mjs", job_text(job, passed.known_components()), settings,
                              inside);
        out = report_of(asked.ended());
    } catch (const QueueFull& crowded) {
        out.passed.clear();
        out.trouble = crowded.what();
    }
    if (out.ok()) passed.store();
    return out;
}

}  // namespace svc::gates
