#include "pipeline.hpp"

#include "check/check.hpp"
#include "contract/parse.hpp"
#include "diag/source_map.hpp"
#include "emit/render.hpp"
#include "hash/sha256.hpp"
#include "model/names.hpp"
#include "model/resolve.hpp"
#include "pipeline_pages.hpp"
#include "pipeline_rows.hpp"
#include "plan/elevated.hpp"
#include "plan/names.hpp"
#include "plan/planner.hpp"
#include "query/prove.hpp"

namespace svc::pipeline {
namespace {

void take(diag::Findings& all, const diag::Findings& some) {
    for (const diag::Finding& finding : some.all()) all.add(finding);
}

// Of a contract with mistakes: what else is wrong, as far as it can be told.
void tell_more(const model::Resolved& resolved, diag::Findings& findings) {
    const model::Model& model = resolved.model ? *resolved.model : resolved.draft;
    plan::check_names(model, findings);
    findings.doubt_all(resolved.findings.doubted());
    plan::Plan draft;
    plan::plan_queries(model, draft);
    query::read_queries(draft.queries, model::entity_names(model), findings);
}

// Stage after stage. Resolving goes on where the contract has mistakes, so that all of them are
// told at once; what follows needs a whole model.
std::optional<plan::Plan> run(std::string_view contract_text, const std::string& database,
                              diag::Findings& findings, check::Exposure& exposure) {
    contract::Parsed parsed = contract::parse(contract_text);
    take(findings, parsed.findings);
    if (!parsed.contract) return std::nullopt;

    model::Resolved resolved = model::resolve(*parsed.contract);
    take(findings, resolved.findings);
    if (findings.has_errors()) {
        tell_more(resolved, findings);
        return std::nullopt;
    }

    take(findings, check::check(*resolved.model));

    plan::Planned planned = plan::make_plan(*resolved.model, hash::sha256(contract_text));
    take(findings, planned.findings);
    if (!planned.plan) return std::nullopt;

    query::prove(*planned.plan, database, findings);
    plan::plan_elevated(*planned.plan);
    check_query_columns(*resolved.model, *planned.plan, findings);
    if (findings.has_errors()) return std::nullopt;
    check_query_rows(*parsed.contract, *planned.plan, findings);
    if (findings.has_errors()) return std::nullopt;
    exposure = check::exposure(*resolved.model, *planned.plan);
    planned.plan->matrix = check::json_text(exposure);
    return std::move(planned.plan);
}

}  // namespace

Checked check(std::string_view contract_text, const std::string& database) {
    Checked out;
    out.plan = run(contract_text, database, out.findings, out.exposure);
    if (!out.findings.all().empty()) {
        diag::SourceMap(contract_text).locate(out.findings);
        out.findings.sort();
    }
    return out;
}

emit::FileSet emit(const plan::Plan& plan) { return emit::render(plan); }

}  // namespace svc::pipeline
