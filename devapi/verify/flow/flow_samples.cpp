#include "verify/flow/flow_samples.hpp"

#include "plan/names.hpp"
#include "plan/write/lifecycle.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/flow/flow_reach.hpp"
#include "verify/query/query_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

// Rows that the transition may leave come first: the function is to show what it does.
std::string before_move(const model::Entity& of, std::optional<std::size_t> transition) {
    if (!transition || !of.lifecycle) return {};
    const model::Transition& move = of.lifecycle->transitions[*transition];
    if (move.from.empty()) return {};
    return plan::ident(of.fields[of.lifecycle->field].name) + " in (" + plan::state_list(move) +
           ") desc, ";
}

// "": it has no rows here.
std::string some_row(Subject& subject, const ParamRow& row, std::size_t n) {
    const model::Entity& of = subject.model.entities[row.entity];
    if (!is_table(of)) return {};
    const auto ids =
        subject.connection.list("select id::text from " + plan::table(of.name) + " order by " +
                                before_move(of, row.transition) + "md5(id::text) limit 20");
    return ids.empty() ? std::string() : ids[n % ids.size()];
}

json sample_param(Subject& subject, const model::Field& param,
                  const std::vector<model::FlowStep>& steps, std::size_t n) {
    using model::FieldType;
    const auto people = people_of(subject);
    if (param.type == FieldType::user && !people.empty()) return people[n % people.size()]->id;
    // What one answer refuses, the other may do.
    if (param.type == FieldType::boolean) return n % 2 == 0;
    std::string row;
    if (param.type == FieldType::ref) row = some_row(subject, {param.ref_entity, {}}, n);
    if (param.type == FieldType::uuid)
        if (const auto named = row_of_param(subject.model, steps, param.name))
            row = some_row(subject, *named, n);
    return row.empty() ? sensible_value(param) : json(row);
}

}  // namespace

std::vector<const VerifyCaller*> people_of(const Subject& subject) {
    std::vector<const VerifyCaller*> out;
    for (const VerifyCaller& caller : subject.callers)
        if (!caller.id.empty() && caller.org_role.empty()) out.push_back(&caller);
    return out;
}

json sample_params(Subject& subject, const std::vector<model::Field>& params,
                   const std::vector<model::FlowStep>& steps, std::size_t n) {
    json out = json::object();
    for (const model::Field& param : params)
        out[param.name] = sample_param(subject, param, steps, n);
    return out;
}

std::string call_state(const json& params, const VerifyCaller* caller) {
    json out = {{"input", params}, {"actor", nullptr}};
    if (!caller) return out.dump();
    out["caller"] = {{"id", caller->id},
                     {"principals", caller->names()},
                     {"claims", json::parse(caller->claims())}};
    const auto or_null = [](const std::string& text) { return text.empty() ? json() : json(text); };
    if (!caller->id.empty())
        out["actor"] = {{"id", caller->id},
                        {"persona", caller->persona},
                        {"email", caller->email},
                        {"isAdmin", caller->is_admin},
                        {"org", or_null(caller->org)}};
    return out.dump();
}

}  // namespace svc::devapi::verification
