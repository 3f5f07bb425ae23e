#include "verify/verify.hpp"

namespace svc::devapi::verification {
namespace {

using ordered = nlohmann::ordered_json;

constexpr std::size_t kMost = 50;  // warnings, and findings

ordered run_json(const VerifyRun& run) {
    ordered steps = ordered::array();
    for (const auto& effect : run.effects)
        steps.push_back({{"kind", effect.kind}, {"target", effect.target}});
    ordered out = {{"of", run.of}, {"by", run.by}, {"steps", steps}};
    if (run.more > 0) out["more"] = run.more;
    out["ended"] = run.ended;
    return out;
}

void add_texts(ordered& detail, const char* name, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    detail[name] = ordered::array();
    for (const auto& text : texts)
        if (detail[name].size() < kMost) detail[name].push_back(text);
}

ordered detail_json(const VerifyCheck& check) {
    ordered out = {{"said", check.said}};
    if (check.result == VerifyCheck::Result::not_run) return {{"notRun", check.said}};
    out["cases"] = check.cases;
    if (check.failures > 0) {
        out["failures"] = check.failures;
        out["counterExample"] = check.counter_example;
    }
    add_texts(out, "findings", check.findings);
    add_texts(out, "warnings", check.warnings);
    if (!check.runs.empty()) {
        out["runs"] = ordered::array();
        for (const auto& run : check.runs) out["runs"].push_back(run_json(run));
    }
    return out;
}

ordered check_json(const VerifyCheck& check) {
    const bool run = check.result != VerifyCheck::Result::not_run;
    return {{"name", check.name},
            {"pass", run ? ordered(check.result == VerifyCheck::Result::passed) : ordered(nullptr)},
            {"ms", check.ms},
            {"detail", detail_json(check)}};
}

}  // namespace

void VerifyCheck::bad(const std::string& words) {
    ++cases;
    ++failures;
    result = Result::failed;
    if (counter_example.empty()) counter_example = words;
}

ordered report_json(const VerifyReport& report) {
    ordered checks = ordered::array();
    for (const auto& check : report.checks) checks.push_back(check_json(check));
    return {{"pass", report.pass},
            {"checks", checks},
            {"summary", report.summary},
            {"version", report.version},
            {"ms", report.ms}};
}

}  // namespace svc::devapi::verification
