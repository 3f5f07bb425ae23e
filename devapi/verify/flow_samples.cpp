#include "verify/flow_samples.hpp"

#include "plan/names.hpp"
#include "verify/flow_reach.hpp"
#include "verify/query_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

// "": it has no rows here.
std::string some_row(Subject& subject, std::size_t entity, std::size_t n) {
    const model::Entity& of = subject.model.entities[entity];
    if (!is_table(of)) return {};
    const auto ids = subject.session.list("select id::text from " + plan::table(of.name) +
                                          " order by md5(id::text) limit 20");
    return ids.empty() ? std::string() : ids[n % ids.size()];
}

json sample_param(Subject& subject, const model::Field& param,
                  const std::vector<model::FlowStep>& steps, std::size_t n) {
    using model::FieldType;
    const auto people = people_of(subject);
    if (param.type == FieldType::user && !people.empty()) return people[n % people.size()]->id;
    std::string row;
    if (param.type == FieldType::ref) row = some_row(subject, param.ref_entity, n);
    if (param.type == FieldType::uuid)
        if (const auto entity = entity_of_param(subject.model, steps, param.name))
            row = some_row(subject, *entity, n);
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
