// Writes grants and denials as SQL.
#include <algorithm>
#include <utility>

#include "plan/access.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Grant;
using model::Model;
using model::Principal;

// Grants under the same condition, their principals together. Each condition is written out once,
// as it may hold those of other entities.
struct Clause {
    std::vector<Principal> to;
    std::string which;  // empty: always
};

std::vector<Clause> clauses(const std::vector<Grant>& grants, const Scope& scope) {
    std::vector<Clause> out;
    for (const Grant& grant : grants) {
        std::string which = grant.condition ? sql_true(*grant.condition, scope) : "";
        const auto same = std::find_if(out.begin(), out.end(),
                                       [&](const Clause& clause) { return clause.which == which; });
        if (same == out.end()) {
            out.push_back({{grant.to}, std::move(which)});
        } else {
            same->to.push_back(grant.to);
        }
    }
    return out;
}

std::string clause_sql(const Clause& clause, const Scope& scope) {
    const std::string who = acts_as(clause.to, scope.caller);
    if (clause.which.empty()) return who.empty() ? "true" : who;
    return who.empty() ? clause.which : who + " and " + clause.which;
}

std::string any_of(const std::vector<Grant>& grants, const Scope& scope) {
    const std::vector<Clause> all = clauses(grants, scope);
    if (all.empty()) return "false";
    if (all.size() == 1) return clause_sql(all[0], scope);
    std::string out;
    for (const Clause& clause : all) {
        std::string sql = clause_sql(clause, scope);
        if (sql == "true") return sql;
        const bool joined = sql.find(" and ") != std::string::npos;
        out += (out.empty() ? "" : "\n        or ") + (joined ? "(" + sql + ")" : sql);
    }
    return out;
}

std::string none_of(const std::vector<Grant>& denies, const Scope& scope) {
    std::string out;
    for (const Grant& deny : denies) {
        const std::string who = acts_as({deny.to}, scope.caller);
        std::string allowed = who.empty() ? "" : "not " + who;
        if (deny.condition) {
            allowed += (allowed.empty() ? "" : " or ") + sql_false(*deny.condition, scope);
        }
        out += " and (" + (allowed.empty() ? "false" : allowed) + ")";
    }
    return out;
}

std::string own_predicate(const Model& model, const Entity& entity, Operation operation,
                          const Scope& scope);

// Reading a child needs read on its parent, any write to it update on its parent. Under the
// caller's policies whatever is found is what they read.
std::string parent_predicate(const Model& model, const Entity& entity, Operation operation,
                             const Scope& scope) {
    const Entity& above = decided_by(model, entity);
    const std::string alias = kAlias + "p" + std::to_string(++scope.aliases);
    Scope inner{model, alias + ".", alias + "."};
    inner.aliases = scope.aliases;
    inner.under_policies = scope.under_policies;
    inner.caller = scope.caller;
    const Operation needed = needed_above(operation);
    const std::string which = scope.under_policies ? own_predicate(model, above, needed, inner)
                                                   : access_predicate(model, above, needed, inner);
    scope.aliases = inner.aliases;
    return "exists (\n        select 1 from " + rows_of(above) + " " + alias + " where " + alias +
           ".id = " + scope.nested + ident(entity.fields[*entity.access.same_as].name) + " and (" +
           which + "))";
}

std::string without_parentheses(const std::string& sql) {
    if (!sql.starts_with('(') || !sql.ends_with(')') || sql.starts_with("(select ")) return sql;
    int depth = 0;
    bool quoted = false;  // a parenthesis in a text is not a parenthesis
    for (std::size_t i = 0; i + 1 < sql.size(); ++i) {
        if (sql[i] == '\'') quoted = !quoted;
        if (quoted) continue;
        depth += sql[i] == '(' ? 1 : sql[i] == ')' ? -1 : 0;
        if (depth == 0) return sql;
    }
    return sql.substr(1, sql.size() - 2);
}

// The predicate of the grants and denials of this operation alone.
std::string own_predicate(const Model& model, const Entity& entity, Operation operation,
                          const Scope& scope) {
    std::string allowed;
    if (entity.access.same_as) {
        allowed = parent_predicate(model, entity, operation, scope);
        const std::string more = any_of(grants(entity, operation), scope);
        if (more != "false") allowed += " or " + more;
    } else {
        allowed = any_of(grants(entity, operation), scope);
    }
    const std::string refused = none_of(denied(entity.access, operation), scope);
    return refused.empty() ? without_parentheses(allowed) : "(" + allowed + ")" + refused;
}

}  // namespace

// A row that cannot be read cannot be changed or deleted, by any statement.
bool reads_apart(const Entity& entity, Operation operation) {
    const bool needs_read = operation == Operation::update || operation == Operation::remove;
    // A caller who updates a parent reads it, and so its children.
    const bool by_parent = entity.access.same_as && denied(entity.access, Operation::read).empty();
    return needs_read && !by_parent;
}

std::string access_predicate(const Model& model, const Entity& entity, Operation operation,
                             const Scope& scope) {
    std::string own = own_predicate(model, entity, operation, scope);
    if (!reads_apart(entity, operation) || own == "false") return own;
    const std::string read = own_predicate(model, entity, Operation::read, scope);
    if (read == "true" || read == own) return own;
    return own == "true" ? read : "(" + read + ")\n        and (" + own + ")";
}

// A new row is its writer's own; only the server may make rows for others.
std::string stamp_predicate(const Entity& entity, const std::string& row) {
    std::string out;
    if (entity.owner.user) {
        out += "\n        and (" + row + "user_id is not distinct from (select " + kStampedUser +
               ") or (select svc.acts_as('server')))";
    }
    if (entity.owner.org) {
        out += "\n        and (" + row + "org_id is not distinct from (select " + kStampedOrg +
               ") or (select svc.acts_as('server')))";
    }
    return out;
}

}  // namespace svc::plan
