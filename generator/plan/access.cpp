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

const std::vector<Grant>& all_denied(const model::Access& access, Operation operation) {
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

std::vector<Grant> denials(const model::Access& access, Operation operation, bool of_fields) {
    std::vector<Grant> out;
    for (const Grant& denial : all_denied(access, operation)) {
        if (denial.fields.empty() != of_fields) out.push_back(denial);
    }
    return out;
}

// What cannot be read cannot be changed or taken away, by whatever statement.
bool needs_read(Operation operation) {
    return operation == Operation::update || operation == Operation::remove;
}

Operation needed_above(Operation operation) {
    return operation == Operation::read ? Operation::read : Operation::update;
}

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

std::string own_predicate(const Model& model, const Entity& entity, Operation operation,
                          const Scope& scope);

// Reading a child needs read on its parent, any write to it update on its parent. Under the
// caller's policies whatever is found is what he reads.
std::string parent_predicate(const Model& model, const Entity& entity, Operation operation,
                             const Scope& scope) {
    const Entity& above = parent(model, entity);
    const std::string alias = kAlias + "p" + std::to_string(++scope.aliases);
    Scope inner{model, alias + ".", alias + "."};
    inner.aliases = scope.aliases;
    inner.under_policies = scope.under_policies;
    const Operation needed = needed_above(operation);
    const std::string which = scope.under_policies ? own_predicate(model, above, needed, inner)
                                                   : access_predicate(model, above, needed, inner);
    scope.aliases = inner.aliases;
    return "exists (\n        select 1 from " + rows_of(above) + " " + alias + " where " + alias +
           ".id = " + scope.nested + ident(entity.fields[*entity.access.same_as].name) + " and (" +
           which + "))";
}

bool looks_elsewhere(const std::vector<Grant>& grants) {
    return std::any_of(grants.begin(), grants.end(), [](const Grant& grant) {
        return grant.condition && walks(*grant.condition);
    });
}

bool own_walks(const Model& model, const Entity& entity, Operation operation) {
    if (looks_elsewhere(denied(entity.access, operation))) return true;
    if (!entity.access.same_as) return looks_elsewhere(grants(entity, operation));
    return own_walks(model, parent(model, entity), needed_above(operation));
}

// Who updates a parent reads it, and so its children.
bool reads_apart(const Entity& entity, Operation operation) {
    const bool by_parent = entity.access.same_as && denied(entity.access, Operation::read).empty();
    return needs_read(operation) && !by_parent;
}

bool walks_anywhere(const Model& model, const Entity& entity, Operation operation) {
    return own_walks(model, entity, operation) ||
           (reads_apart(entity, operation) && own_walks(model, entity, Operation::read));
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

std::vector<Grant> denied(const model::Access& access, Operation operation) {
    return denials(access, operation, false);
}

std::vector<Grant> denied_fields(const model::Access& access) {
    return denials(access, Operation::update, true);
}

namespace {

// What the grants and denials of this operation alone say.
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
        out += "\n        and (" + row +
               "user_id is not distinct from (select svc.user_id())"
               " or (select svc.acts_as('server')))";
    }
    if (entity.owner.org) {
        out += "\n        and (" + row +
               "org_id is not distinct from (select svc.claim('org')::uuid)"
               " or (select svc.acts_as('server')))";
    }
    return out;
}

std::vector<Routine> plan_policies(const Model& model, const Entity& entity) {
    std::vector<Routine> out;
    Scope scope{model, "", ident(entity.name) + "."};
    scope.under_policies = true;
    for (const PolicyKind& kind : kPolicies) {
        std::string predicate;
        if (walks_anywhere(model, entity, kind.operation)) {
            out.push_back(access_function(model, entity, kind));
            predicate = "svc." + ident(out.back().name) + "(" + ident(entity.name) + ".*)";
        } else {
            predicate = access_predicate(model, entity, kind.operation, scope);
        }
        if (kind.operation == Operation::create && !stamp_predicate(entity, "").empty()) {
            predicate = "(" + predicate + ")" + stamp_predicate(entity, "");
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
        out |= access_bits(model, parent(model, entity), needed_above(operation));
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
