#include "plan/sql/caller_call.hpp"

#include <vector>

#include "model/expr/typer.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {

std::string member_of(const model::Expr& call, const Scope& scope) {
    std::string out = "(" + sql_value(*call.args[0], scope) + " = " +
                      user_value(model::CallerAttribute::org, scope);
    std::vector<model::Principal> roles;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
        roles.push_back({model::Principal::Kind::org_role, call.args[i]->text});
    }
    if (!roles.empty()) out += " and " + acts_as(roles, scope.caller);
    return out + ")";
}

std::string may_do(const model::Expr& call, const Scope& scope) {
    const model::Expr& row = *call.args[1];
    const model::Entity& target = scope.model.entities[*model::referred_entity(scope.model, row)];
    const std::string alias = kAlias + "c" + std::to_string(++scope.aliases);
    Scope outside = scope;
    outside.row = scope.nested;
    Scope inside{scope.model, alias + ".", alias + "."};
    inside.aliases = scope.aliases;
    inside.caller = scope.caller;
    std::string which = "(" + access_predicate(scope.model, target, Operation::read, inside) + ")";
    const std::string& what = call.args[0]->text;
    if (what != "read") {
        const Operation asked = what == "update" ? Operation::update : Operation::remove;
        which += " and (" + access_predicate(scope.model, target, asked, inside) + ")";
    }
    outside.aliases = inside.aliases;
    const std::string id = sql_value(row, outside);
    scope.aliases = outside.aliases;
    return "exists (select 1 from " + rows_of(target) + " " + alias + " where " + alias +
           ".id = " + id + " and " + which + ")";
}

}  // namespace svc::plan
