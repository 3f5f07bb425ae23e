#include "pipeline.hpp"

#include "check/check.hpp"
#include "contract/parse.hpp"
#include "diag/source_map.hpp"
#include "emit/render.hpp"
#include "hash/sha256.hpp"
#include "model/resolve.hpp"
#include "plan/names.hpp"
#include "plan/planner.hpp"

namespace svc::pipeline {
namespace {

void take(diag::Findings& all, const diag::Findings& some) {
    for (const diag::Finding& finding : some.all()) all.add(finding);
}

// Stage after stage. Resolving goes on where the contract has mistakes, so that all of them are
// told at once; what follows needs a whole model.
std::optional<plan::Plan> run(std::string_view contract_text, diag::Findings& findings,
                              check::Exposure& exposure) {
    contract::Parsed parsed = contract::parse(contract_text);
    take(findings, parsed.findings);
    if (!parsed.contract) return std::nullopt;

    model::Resolved resolved = model::resolve(*parsed.contract);
    take(findings, resolved.findings);
    if (findings.has_errors()) {
        plan::check_names(resolved.model ? *resolved.model : resolved.draft, findings);
        return std::nullopt;
    }

    take(findings, check::check(*resolved.model));

    plan::Planned planned = plan::make_plan(*resolved.model, hash::sha256(contract_text));
    take(findings, planned.findings);
    if (findings.has_errors()) return std::nullopt;
    exposure = check::exposure(*resolved.model, *planned.plan);
    return std::move(planned.plan);
}

}  // namespace

Checked check(std::string_view contract_text) {
    Checked out;
    out.plan = run(contract_text, out.findings, out.exposure);
    if (!out.findings.all().empty()) {
        diag::SourceMap(contract_text).locate(out.findings);
        out.findings.sort();
    }
    return out;
}

emit::FileSet emit(const plan::Plan& plan) { return emit::render(plan); }

}  // namespace svc::pipeline
