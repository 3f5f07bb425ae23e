#include "pipeline.hpp"

#include <stdexcept>

#include "base/sha256.hpp"
#include "check/check.hpp"
#include "contract/parse.hpp"
#include "contract/visibility.hpp"
#include "diag/source_map.hpp"
#include "emit/page/scripts.hpp"
#include "emit/render.hpp"
#include "gates/bundle.hpp"
#include "gates/gates.hpp"
#include "migrate/system_sql.hpp"
#include "model/names.hpp"
#include "model/resolve.hpp"
#include "pipeline_pages.hpp"
#include "pipeline_rows.hpp"
#include "pipeline_sound.hpp"
#include "plan/flow/plan_flows.hpp"
#include "plan/names.hpp"
#include "plan/planner.hpp"
#include "plan/served/elevated.hpp"
#include "query/prove/prove.hpp"
#include "query/prove/prove_flows.hpp"

namespace svc::pipeline {
namespace {

void take(diag::Findings& all, const diag::Findings& some) {
    for (const diag::Finding& finding : some.all()) all.add(finding);
}

void check_sound(const model::Model& model, const SoundParts& sound, diag::Findings& findings) {
    if (!sound.entities()) return;
    check::check_entities(model, findings);
    if (sound.all_but_settings()) check::check_uses(model, findings);
}

// Finds more mistakes of a contract that already has some.
void check_more(const contract::Contract& contract, const model::Resolved& resolved,
                const query::Database& database, diag::Findings& findings) {
    const model::Model& model = resolved.model ? *resolved.model : resolved.draft;
    plan::check_limits(model, findings);
    plan::check_names(model, findings);
    findings.doubt_all(resolved.findings.doubted());
    const SoundParts sound(contract, model, findings);
    check_sound(model, sound, findings);
    plan::Plan draft = sound.plan();
    try {
        query::prove_sound(draft, model::entity_names(model), database, findings);
        check_query_columns(model, draft, findings);
    } catch (const std::runtime_error&) {
        // Without that database no more can be found, and the author has enough findings to
        // continue.
    }
}

// Runs stage after stage. Resolving continues after mistakes, so that all of them are reported at
// once; the next stages need a whole model.
std::optional<plan::Plan> run(std::string_view contract_text, const query::Database& database,
                              diag::Findings& findings, check::Exposure& exposure) {
    contract::Parsed parsed = contract::parse(contract_text);
    take(findings, parsed.findings);
    if (!parsed.contract) return std::nullopt;

    model::Resolved resolved = model::resolve(*parsed.contract);
    take(findings, resolved.findings);
    if (findings.has_errors()) {
        check_more(*parsed.contract, resolved, database, findings);
        return std::nullopt;
    }

    plan::PlanResult planned = plan::make_plan(*resolved.model, base::sha256_hex(contract_text));
    if (!planned.plan) {
        // These findings are about limits and names; check_more() reports them among the rest.
        check_more(*parsed.contract, resolved, database, findings);
        return std::nullopt;
    }
    planned.plan->visibility = contract::visibility_hash(contract_text);
    take(findings, planned.findings);
    take(findings, check::check(*resolved.model));

    query::prove(*planned.plan, database, findings);
    plan::plan_elevated(*planned.plan);
    check_query_columns(*resolved.model, *planned.plan, findings);
    if (findings.has_errors()) return std::nullopt;
    resolve_query_rows(*parsed.contract, *planned.plan, *resolved.model, findings);
    if (findings.has_errors()) return std::nullopt;
    plan::plan_flows(*resolved.model, *planned.plan);
    query::prove_flows(*planned.plan, database, migrate::embedded("flow_values.sql"), findings);
    if (findings.has_errors()) return std::nullopt;
    exposure = check::exposure(*resolved.model, *planned.plan);
    planned.plan->matrix = check::json_text(exposure);
    return std::move(planned.plan);
}

}  // namespace

Checked check(std::string_view contract_text, const query::Database& database) {
    Checked out;
    out.plan = run(contract_text, database, out.findings, out.exposure);
    if (!out.findings.all().empty()) {
        diag::SourceMap(contract_text).locate(out.findings);
        out.findings.sort();
    }
    return out;
}

emit::FileSet emit(const plan::Plan& plan) { return emit::render(plan); }

emit::FileSet emit_all(const plan::Plan& plan, const build::Settings& settings) {
    emit::FileSet files = emit(plan);
    if (plan.site.shown.empty()) return files;
    gates::BundleJob job;
    for (const plan::SiteComponent& one : plan.site.components)
        job.components.emplace_back(one.name, one.source);
    job.shown = plan.site.shown;
    job.client = gates::client_of(files);
    emit::put_scripts(plan, gates::bundle(job, settings), files);
    return files;
}

}  // namespace svc::pipeline
