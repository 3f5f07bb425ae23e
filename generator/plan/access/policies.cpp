#include "plan/access/policies.hpp"

#include <algorithm>

#include "plan/access/read_decision.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Grant;
using model::Model;

bool reads_other_rows(const std::vector<Grant>& grants) {
    return std::any_of(grants.begin(), grants.end(), [](const Grant& grant) {
        return grant.condition && walks(*grant.condition);
    });
}

bool own_walks(const Model& model, const Entity& entity, Operation operation) {
    if (reads_other_rows(denied(entity.access, operation))) return true;
    if (!entity.access.same_as) return reads_other_rows(grants(entity, operation));
    return own_walks(model, decided_by(model, entity), needed_above(operation));
}

bool walks_anywhere(const Model& model, const Entity& entity, Operation operation) {
    return own_walks(model, entity, operation) ||
           (reads_apart(entity, operation) && own_walks(model, entity, Operation::read));
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
    out.kind = Routine::Kind::policy;
    out.name = entity.name + "_" + kind.word;
    out.table = entity.name;
    out.create = "create policy " + ident(out.name) + " on " + table(entity.name) + " for " +
                 kind.word + " to :data_role";
    if (kind.using_clause) out.create += "\n    using (" + predicate + ")";
    if (kind.check_clause) out.create += "\n    with check (" + predicate + ")";
    out.drop = "drop policy if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

// Feeds judge earlier versions of rows, which no policy can. If the compiled predicate cannot
// decide, they call the function of plan_readers().
bool asks(const Model& model, const Entity& entity) {
    return plan_read_decision(model, entity, {}).asks != 0;
}

// Runs with the owner's rights. `given`: its arguments.
Routine owners_function(const std::string& name, const std::string& given,
                        const std::string& returns, const std::string& body) {
    const std::string signature = "svc." + ident(name) + "(" + given + ")";
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = name;
    out.create = "create function " + signature + " returns " + returns +
                 " language sql stable security definer\n" + kSafePath + " as " +
                 dollar_quoted(body) + ";\nrevoke all on function " + signature +
                 " from public;\n" + "grant execute on function " + signature + " to :data_role";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

// The function that asks in the policy's place, where it looks at other rows.
std::string asked_function(const Entity& entity, const PolicyKind& kind) {
    return entity.name + "_may_" + kind.word;
}

// As the policy says it, of the table under its own name.
std::string policy_predicate(const Model& model, const Entity& entity, const PolicyKind& kind,
                             const Scope& scope) {
    if (!walks_anywhere(model, entity, kind.operation))
        return access_predicate(model, entity, kind.operation, scope);
    return "svc." + ident(asked_function(entity, kind)) + "(" + ident(entity.name) + ".*)";
}

Scope policy_scope(const Model& model, const Entity& entity) {
    Scope scope{model, "", ident(entity.name) + "."};
    scope.under_policies = true;
    return scope;
}

Routine access_function(const Model& model, const Entity& entity, const PolicyKind& kind) {
    const Scope scope{model, "r.", "r."};
    return owners_function(
        asked_function(entity, kind), "r " + table(entity.name), "boolean",
        "select " + access_predicate(model, entity, kind.operation, scope) + "\n");
}

}  // namespace

Routine plan_readers(const Model& model, const Entity& entity) {
    Scope scope{model, "r.", "r."};
    scope.caller = kAlias + "caller";
    const std::string body = "select " + scope.caller + ".place from svc.each_caller(callers) " +
                             scope.caller + "\nwhere " +
                             access_predicate(model, entity, Operation::read, scope) + "\n";
    return owners_function(entity.name + "_readers",
                           "r " + table(entity.name) + ", callers svc.caller[]", "setof integer",
                           body);
}

std::vector<Routine> plan_policies(const Model& model, const Entity& entity) {
    std::vector<Routine> out;
    const Scope scope = policy_scope(model, entity);
    for (const PolicyKind& kind : kPolicies) {
        if (kind.operation == Operation::read && asks(model, entity))
            out.push_back(plan_readers(model, entity));
        if (walks_anywhere(model, entity, kind.operation))
            out.push_back(access_function(model, entity, kind));
        std::string predicate = policy_predicate(model, entity, kind, scope);
        if (kind.operation == Operation::create && !stamp_predicate(entity, "").empty()) {
            predicate = "(" + predicate + ")" + stamp_predicate(entity, "");
        }
        out.push_back(policy(entity, kind, predicate));
    }
    Routine grant;
    grant.kind = Routine::Kind::grant;
    grant.name = entity.name;
    grant.table = entity.name;
    grant.create =
        "grant select, insert, update, delete on " + table(entity.name) + " to :data_role";
    out.push_back(std::move(grant));
    return out;
}

std::string policy_predicate(const Model& model, const Entity& entity, Operation operation) {
    const auto* kind = std::find_if(std::begin(kPolicies), std::end(kPolicies),
                                    [&](const auto& one) { return one.operation == operation; });
    return policy_predicate(model, entity, *kind, policy_scope(model, entity));
}

}  // namespace svc::plan
