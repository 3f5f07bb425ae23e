#include "routes/report.hpp"

#include "common/json_slice.hpp"
#include "http/fields.hpp"

namespace svc::devapi {
namespace {

json finding_json(const diag::Finding& finding) {
    return {{"code", finding.code}, {"path", finding.path},     {"message", finding.message},
            {"line", finding.line}, {"column", finding.column}, {"fix", finding.fix}};
}

json stage_json(const Stage& stage) {
    return {{"name", base::word(stage.name)},
            {"status", base::word(stage.status)},
            {"ms", stage.ms},
            {"detail", stage.detail}};
}

}  // namespace

json report_json(const diag::Findings& findings) {
    json errors = json::array(), warnings = json::array(), fixes = json::array();
    for (const auto& finding : findings.all()) {
        const bool error = finding.severity == diag::Severity::error;
        (error ? errors : warnings).push_back(finding_json(finding));
        if (error && !finding.fix.empty()) fixes.push_back(finding.fix);
    }
    return {{"ok", errors.empty()}, {"errors", errors}, {"fixes", fixes}, {"warnings", warnings}};
}

std::function<void(const Stage&)> stages_to(const Request& request) {
    return [&request](const Stage& stage) {
        if (request.progress) request.progress("stage", stage_json(stage));
    };
}

std::optional<std::string_view> contract_of(const Request& request, Response& response) {
    if (!request.body.empty() && !json::accept(request.body)) {
        Fields(request).good(response);
        return std::nullopt;
    }
    const auto contract = json_member(request.body, "contract");
    if (!contract || *contract == "null") {
        response.refuse(400, "The contract is required: send {\"contract\": {…}}.");
        return std::nullopt;
    }
    if (contract->starts_with('{')) return contract;
    Fields fields(Request{});
    fields.wrong("contract", "Must be a JSON object.");
    fields.good(response);
    return std::nullopt;
}

}  // namespace svc::devapi
