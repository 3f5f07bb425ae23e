#include "query/prove/prove_flows.hpp"

#include "query/prove/flow_world.hpp"
#include "query/scratch/in_temporary.hpp"
#include "query/scratch/scratch_connection.hpp"

namespace svc::query {
namespace {

using Gives = plan::FlowText::Gives;

constexpr std::uint32_t kBoolean = 16;
constexpr std::uint32_t kText = 25;
std::uint32_t type_of(Gives gives) {
    if (gives == Gives::json) return kContextType;
    return gives == Gives::boolean ? kBoolean : kText;
}

void report(const plan::PlannedFlow& flow, const plan::FlowText& text, const std::string& problem,
            diag::Findings& findings) {
    findings.error("STEP_NOT_PROVED", text.path,
                   "The statement of \"" + flow.name + "\" (" + text.what +
                       ") is refused by PostgreSQL: " + problem + ".",
                   "this is a mistake of the compiler; another way to write it may work");
}

void prove(ScratchConnection& scratch, const plan::PlannedFlow& flow, const plan::FlowText& text,
           diag::Findings& findings) {
    if (text.sql.empty()) return;
    Refusal refusal;
    const auto described = scratch.describe(in_temporary(text.sql), {kContextType}, refusal);
    if (!described) return report(flow, text, refusal.message, findings);
    const auto& columns = described->columns;
    if (columns.size() == 1 && columns[0].type == type_of(text.gives)) return;
    report(flow, text, "it gives something else than is needed", findings);
}

}  // namespace

void prove_flows(const plan::Plan& plan, const Database& database, std::string_view values,
                 diag::Findings& findings) {
    if (plan.flows.all.empty() || database.url.empty()) return;
    Budget budget(database.budget);
    try {
        ScratchConnection scratch(database.url, budget);
        scratch.make_tables(flow_world(plan.tables, plan.routines, values));
        for (const plan::PlannedFlow& flow : plan.flows.all) {
            budget.begin(flow.source, "The steps of " + flow.name);
            for (const plan::FlowText& text : flow.texts) prove(scratch, flow, text, findings);
        }
    } catch (const TooSlow&) {
        findings.error("CHECK_TOO_SLOW", "/workflows",
                       "The statements of functions and workflows take longer to prove than a "
                       "check may.",
                       "make fewer or smaller ones");
    }
}

}  // namespace svc::query
