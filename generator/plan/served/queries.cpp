#include <utility>

#include "model/values.hpp"
#include "plan/names.hpp"
#include "plan/planner.hpp"
#include "plan/principals.hpp"
#include "plan/served/served.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

std::vector<std::string> who(const model::Query& query) {
    std::vector<std::string> names;
    if (query.end_user) names.emplace_back("end_user");
    for (const model::Principal& principal : query.allow) {
        names.push_back(principal_name(principal));
    }
    if (query.workflow) names.emplace_back("workflow");
    return names;
}

}  // namespace

QueryParam plan_param(const model::Model& model, const model::Field& field) {
    const TypeNames& names = type_names(field.type);
    QueryParam param;
    param.name = field.name;
    param.declared = field.type;
    param.type = names.type;
    param.sql_type = names.sql;
    param.oid = names.oid;
    param.required = field.required;
    param.facts = field_facts(model, field);
    param.facts.ref.clear();  // a uuid of no table in particular
    if (field.default_value.kind == model::Default::Kind::literal) {
        param.fallback = field.default_value.text;
    }
    return param;
}

namespace {

Query plan_query(const model::Model& model, const model::Query& in) {
    Query out;
    out.name = in.name;
    std::string name = in.name;
    for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/')) {
        out.folders.push_back(cpp_identifier(name.substr(0, slash)));
        name.erase(0, slash + 1);
    }
    out.cpp_value = cpp_identifier(name);
    out.description = in.description;
    out.source = "svc.json#" + in.path;
    out.writes = in.writes;
    out.workflow = in.workflow;
    out.allow = in.end_user ? ~PrincipalBits{0} : bits(model, in.allow);
    out.who = who(in);
    out.sql = in.sql;
    out.path = in.path + "/sql";
    for (const model::Field& param : in.params) out.params.push_back(plan_param(model, param));
    return out;
}

}  // namespace

void plan_queries(const model::Model& model, Plan& plan) {
    for (const model::Query& query : model.queries) {
        plan.queries.push_back(plan_query(model, query));
    }
}

}  // namespace svc::plan
