#include "plan/access/rights.hpp"

#include <algorithm>
#include <set>

#include "plan/access/policies.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Expr;
using model::Grant;
using model::Model;

std::vector<model::ExprPtr> conditions(const Entity& entity, Operation operation) {
    std::vector<model::ExprPtr> out;
    for (const auto& all : {grants(entity, operation), denied(entity.access, operation)})
        for (const Grant& grant : all)
            if (grant.condition) out.push_back(grant.condition);
    return out;
}

// True if the answer depends on the row.
bool depends_on_row(const Entity& entity, Operation operation) {
    return entity.access.same_as || !conditions(entity, operation).empty();
}

// Columns of the row itself that an expression looks at; "id" too where it looks at rows that refer
// to it.
void looked_at(const Model& model, const Expr& expr, std::set<std::string>& out) {
    if (!expr.steps.empty() && expr.root == model::Root::row) {
        const model::Step& first = expr.steps.front();
        const bool own = first.kind != model::Step::Kind::many && first.builtin.empty();
        out.insert(own                     ? model.entities[first.entity].fields[first.field].name
                   : first.builtin.empty() ? "id"
                                           : first.builtin);
    }
    for (const model::ExprPtr& arg : expr.args) looked_at(model, *arg, out);
}

const model::Field* only_ref(const Model& model, const Entity& entity) {
    std::set<std::string> columns;
    if (entity.access.same_as) columns.insert(entity.fields[*entity.access.same_as].name);
    for (const model::ExprPtr& condition : conditions(entity, Operation::create))
        looked_at(model, *condition, columns);
    if (columns.size() != 1) return nullptr;
    const auto at = std::find_if(entity.fields.begin(), entity.fields.end(),
                                 [&](const auto& field) { return field.name == *columns.begin(); });
    const bool is_ref = at != entity.fields.end() && at->type == model::FieldType::ref;
    return is_ref && !model.entities[at->ref_entity].external ? &*at : nullptr;
}

}  // namespace

std::string rights_sql(const Model& model, const Entity& entity) {
    const bool decided =
        !depends_on_row(entity, Operation::update) && !depends_on_row(entity, Operation::remove);
    if (entity.external || decided) return {};
    return "select (" + policy_predicate(model, entity, Operation::update) + ") is true,\n    (" +
           policy_predicate(model, entity, Operation::remove) + ") is true\nfrom " +
           table(entity.name) + "\nwhere id = $1";
}

ParentRight parent_right(const Model& model, const Entity& entity) {
    const model::Field* ref = entity.external ? nullptr : only_ref(model, entity);
    if (!ref) return {};
    return {ref->name, "select (" + policy_predicate(model, entity, Operation::create) +
                           ") is true\nfrom jsonb_populate_record(null::" + table(entity.name) +
                           ", jsonb_build_object(" + literal(ref->name) + ", $1)) " +
                           ident(entity.name)};
}

}  // namespace svc::plan
