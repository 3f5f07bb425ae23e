#include "query/prove_flows.hpp"

#include <algorithm>

#include "plan/names.hpp"
#include "query/in_temporary.hpp"
#include "query/session.hpp"
#include "query/temporary.hpp"

namespace svc::query {
namespace {

using Gives = plan::FlowText::Gives;

constexpr std::uint32_t kBoolean = 16;
constexpr std::uint32_t kText = 25;
constexpr std::uint32_t kJsonb = 3802;

std::uint32_t type_of(Gives gives) {
    if (gives == Gives::json) return kJsonb;
    return gives == Gives::boolean ? kBoolean : kText;
}

// What statements of steps call, beside the functions of values: only their types matter here.
std::string stand_ins(const plan::Plan& plan) {
    std::string out;
    for (const plan::Routine& routine : plan.routines) {
        const bool moves =
            routine.kind == plan::Routine::Kind::function && routine.name.ends_with("_move");
        const bool transition =
            routine.kind == plan::Routine::Kind::function && routine.name.ends_with("_transition");
        if (!moves && !transition) continue;
        const std::string entity = routine.name.substr(0, routine.name.rfind('_'));
        out += "create function pg_temp." + plan::ident(routine.name) +
               (moves ? "(uuid, text)" : "(uuid, text, text[] default null)") +
               " returns setof pg_temp." + plan::ident(entity) +
               " language sql as 'select null::pg_temp." + plan::ident(entity) + "';\n";
    }
    return out;
}

// Grants are about roles that are not there.
std::string values_of(std::string_view values) {
    const std::size_t grants = values.find("\ngrant ");
    std::string out(values.substr(0, grants));
    out += '\n';  // what it ends with may be a comment
    for (std::size_t at = out.find("svc."); at != std::string::npos; at = out.find("svc.", at))
        out.replace(at, 4, "pg_temp.");
    return out;
}

void tell(const plan::PlannedFlow& flow, const plan::FlowText& text, const std::string& problem,
          diag::Findings& findings) {
    findings.error("STEP_NOT_PROVED", text.path,
                   "The statement of \"" + flow.name + "\" (" + text.what +
                       ") is refused by PostgreSQL: " + problem + ".",
                   "this is a mistake of the compiler; another way to write it may work");
}

void prove(Session& session, const plan::PlannedFlow& flow, const plan::FlowText& text,
           diag::Findings& findings) {
    if (text.sql.empty()) return;
    Refusal refusal;
    const auto described = session.describe(in_temporary(text.sql), {kJsonb}, refusal);
    if (!described) return tell(flow, text, refusal.message, findings);
    const auto& columns = described->columns;
    if (columns.size() == 1 && columns[0].type == type_of(text.gives)) return;
    tell(flow, text, "it gives something else than is needed", findings);
}

}  // namespace

void prove_flows(const plan::Plan& plan, const Database& database, std::string_view values,
                 diag::Findings& findings) {
    if (plan.flows.all.empty() || database.url.empty()) return;
    Budget budget(database.budget);
    try {
        Session session(database.url, budget);
        std::string tables;
        for (const plan::Table& table : plan.tables) tables += temporary_table(table);
        session.make_tables(tables + values_of(values) + stand_ins(plan));
        for (const plan::PlannedFlow& flow : plan.flows.all) {
            budget.begin(flow.source, "The steps of " + flow.name);
            for (const plan::FlowText& text : flow.texts) prove(session, flow, text, findings);
        }
    } catch (const TooSlow&) {
        findings.error("CHECK_TOO_SLOW", "/workflows",
                       "The statements of functions and workflows take longer to prove than a "
                       "check may.",
                       "make fewer or smaller ones");
    }
}

}  // namespace svc::query
