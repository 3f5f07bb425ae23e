#include "query/prove/flow_world.hpp"

#include "plan/names.hpp"
#include "query/scratch/temporary.hpp"

namespace svc::query {
namespace {

// Stand-ins for the functions that statements of steps call: only their types matter here.
std::string stand_ins(const std::vector<plan::Routine>& routines) {
    std::string out =
        "create function pg_temp.acts_as(variadic text[]) returns boolean language sql as "
        "'select true';\n";
    for (const plan::Routine& routine : routines) {
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

}  // namespace

std::string flow_world(const std::vector<plan::Table>& tables,
                       const std::vector<plan::Routine>& routines, std::string_view values) {
    std::string out;
    for (const plan::Table& table : tables) out += temporary_table(table);
    return out + values_of(values) + stand_ins(routines);
}

}  // namespace svc::query
