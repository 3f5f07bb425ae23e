#include "plan/access.hpp"

#include <algorithm>

#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Grant;
using model::Model;
using model::Principal;

const std::vector<Grant>& declared(const model::Access& access, Operation operation) {
    switch (operation) {
        case Operation::read:
            return access.read;
        case Operation::create:
            return access.create;
        case Operation::update:
            return access.update;
        case Operation::remove:
            return access.remove;
    }
    return access.read;
}

}  // namespace

const std::vector<Grant>& denied(const model::Access& access, Operation operation) {
    switch (operation) {
        case Operation::read:
            return access.deny.read;
        case Operation::create:
            return access.deny.create;
        case Operation::update:
            return access.deny.update;
        case Operation::remove:
            return access.deny.remove;
    }
    return access.deny.read;
}

namespace {

const Entity& parent(const Model& model, const Entity& entity) {
    return model.entities[entity.fields[*entity.access.same_as].ref_entity];
}

// Grants under the same condition, their principals together.
struct Clause {
    std::vector<Principal> to;
    model::ExprPtr condition;
};

std::vector<Clause> clauses(const std::vector<Grant>& grants, const Scope& scope) {
    std::vector<Clause> out;
    const auto text = [&](const model::ExprPtr& condition) {
        return condition ? sql_true(*condition, scope) : std::string();
    };
    for (const Grant& grant : grants) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const Clause& clause) {
            return text(clause.condition) == text(grant.condition);
        });
        if (same == out.end()) {
            out.push_back({{grant.to}, grant.condition});
        } else {
            same->to.push_back(grant.to);
        }
    }
    return out;
}

std::string clause_sql(const Clause& clause, const Scope& scope) {
    const std::string who = acts_as(clause.to);
    if (!clause.condition) return who.empty() ? "true" : who;
    const std::string which = sql_true(*clause.condition, scope);
    return who.empty() ? which : who + " and " + which;
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

// A new row is its writer's own; only the server may make rows for others.
std::string stamped(const Entity& entity) {
    std::string out;
    if (entity.owner.user) {
        out +=
            "\n        and (user_id is not distinct from (select svc.user_id())"
            " or (select svc.acts_as('server')))";
    }
    if (entity.owner.org) {
        out +=
            "\n        and (org_id is not distinct from (select svc.claim('org')::uuid)"
            " or (select svc.acts_as('server')))";
    }
    return out;
}

// not(any deny): each one's principal test or condition is false.
std::string none_of(const std::vector<Grant>& denies, const Scope& scope) {
    std::string out;
    for (const Grant& deny : denies) {
        const std::string who = acts_as({deny.to});
        std::string allowed = who.empty() ? "" : "not " + who;
        if (deny.condition) {
            allowed += (allowed.empty() ? "" : " or ") + sql_false(*deny.condition, scope);
        }
        out += " and (" + (allowed.empty() ? "false" : allowed) + ")";
    }
    return out;
}

// Reading a child needs read on its parent, any write to it update on its parent.
std::string parent_predicate(const Model& model, const Entity& entity, Operation operation,
                             const Scope& scope) {
    const Entity& above = parent(model, entity);
    const std::string alias = "p" + std::to_string(++scope.aliases);
    Scope inner{model, alias + ".", alias + "."};
    inner.aliases = scope.aliases;
    const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
    const std::string which = access_predicate(model, above, needed, inner);
    scope.aliases = inner.aliases;
    return "exists (\n        select 1 from " + table(above.name) + " " + alias + " where " +
           alias + ".id = " + scope.nested + ident(entity.fields[*entity.access.same_as].name) +
           " and (" + which + "))";
}

bool looks_elsewhere(const std::vector<Grant>& grants) {
    return std::any_of(grants.begin(), grants.end(), [](const Grant& grant) {
        return grant.condition && walks(*grant.condition);
    });
}

bool walks_anywhere(const Model& model, const Entity& entity, Operation operation) {
    if (looks_elsewhere(denied(entity.access, operation))) return true;
    if (!entity.access.same_as) return looks_elsewhere(grants(entity, operation));
    return walks_anywhere(model, parent(model, entity),
                          operation == Operation::read ? Operation::read : Operation::update);
}

std::string without_parentheses(const std::string& sql) {
    if (!sql.starts_with('(') || !sql.ends_with(')') || sql.starts_with("(select ")) return sql;
    int depth = 0;
    bool quoted = false;  // a parenthesis in a text is no parenthesis
    for (std::size_t i = 0; i + 1 < sql.size(); ++i) {
        if (sql[i] == '\'') quoted = !quoted;
        if (quoted) continue;
        depth += sql[i] == '(' ? 1 : sql[i] == ')' ? -1 : 0;
        if (depth == 0) return sql;
    }
    return sql.substr(1, sql.size() - 2);
}

struct PolicyKind {
    Operation operation;
    const char* word;
    bool using_clause, check_clause;
};

constexpr PolicyKind kPolicies[] = {
    {Operation::read, "select", true, false},
    {Operation::create, "insert", false, true},
    {Operation::update, "update", true, true},
    {Operation::remove, "delete", true, false},
};

Routine policy(const Entity& entity, const PolicyKind& kind, const std::string& predicate) {
    Routine out;
    out.kind = "policy";
    out.name = entity.name + "_" + kind.word;
    out.table = entity.name;
    out.create = "create policy " + ident(out.name) + " on " + table(entity.name) + " for " +
                 kind.word + " to :data_role";
    if (kind.using_clause) out.create += "\n    using (" + predicate + ")";
    if (kind.check_clause) out.create += "\n    with check (" + predicate + ")";
    out.drop = "drop policy if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

Routine access_function(const Model& model, const Entity& entity, const PolicyKind& kind) {
    Routine out;
    out.kind = "function";
    out.name = entity.name + "_may_" + kind.word;
    const std::string signature = "svc." + ident(out.name) + "(r " + table(entity.name) + ")";
    const Scope scope{model, "r.", "r."};
    const std::string body =
        "select " + access_predicate(model, entity, kind.operation, scope) + "\n";
    out.create = "create function " + signature +
                 " returns boolean language sql stable security definer\n" + kSafePath + " as " +
                 dollar_quoted(body) + ";\nrevoke all on function " + signature +
                 " from public;\n" + "grant execute on function " + signature + " to :data_role";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

}  // namespace

std::vector<Grant> grants(const Entity& entity, Operation operation) {
    std::vector<Grant> out = declared(entity.access, operation);
    if (entity.access.defaulted) {
        Grant server;
        server.to = {Principal::Kind::server, ""};
        out.push_back(server);
    }
    return out;
}

std::string access_predicate(const Model& model, const Entity& entity, Operation operation,
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

std::vector<Routine> plan_policies(const Model& model, const Entity& entity) {
    std::vector<Routine> out;
    const Scope scope{model, "", ident(entity.name) + "."};
    for (const PolicyKind& kind : kPolicies) {
        std::string predicate;
        if (walks_anywhere(model, entity, kind.operation)) {
            out.push_back(access_function(model, entity, kind));
            predicate = "svc." + ident(out.back().name) + "(" + ident(entity.name) + ".*)";
        } else {
            predicate = access_predicate(model, entity, kind.operation, scope);
        }
        if (kind.operation == Operation::create && !stamped(entity).empty()) {
            predicate = "(" + predicate + ")" + stamped(entity);
        }
        out.push_back(policy(entity, kind, predicate));
    }
    Routine grant;
    grant.kind = "grant";
    grant.name = entity.name;
    grant.table = entity.name;
    grant.create =
        "grant select, insert, update, delete on " + table(entity.name) + " to :data_role";
    out.push_back(std::move(grant));
    return out;
}

PrincipalBits access_bits(const Model& model, const Entity& entity, Operation operation) {
    PrincipalBits out = bits(model, grants(entity, operation));
    if (entity.access.same_as) {
        const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
        out |= access_bits(model, parent(model, entity), needed);
    }
    return out & ~denied_bits(model, entity, operation);
}

PrincipalBits denied_bits(const Model& model, const Entity& entity, Operation operation) {
    PrincipalBits out = 0;
    if (entity.access.same_as) {
        const Operation needed = operation == Operation::read ? Operation::read : Operation::update;
        out = denied_bits(model, parent(model, entity), needed);
    }
    for (const Grant& deny : denied(entity.access, operation)) {
        if (!deny.condition) out |= bits(model, deny.to);
    }
    return out;
}

std::string access_words(const Model& model, const Entity& entity, Operation operation) {
    if (entity.access.same_as) {
        return std::string("as the parent ") + parent(model, entity).name;
    }
    std::string out;
    for (const Grant& grant : grants(entity, operation)) {
        const std::string who = acts_as({grant.to});
        const auto from = who.find('\'');
        const std::string name = from == std::string::npos
                                     ? "everyone"
                                     : who.substr(from + 1, who.rfind('\'') - from - 1);
        out += (out.empty() ? "" : ", ") + name + (grant.condition ? " (some rows)" : "");
    }
    return out.empty() ? "nobody" : out;
}

}  // namespace svc::plan
