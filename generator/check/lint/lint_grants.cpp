#include <algorithm>

#include "check/lint/lint.hpp"
#include "model/expr/typer.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Grant;
using plan::Operation;

struct Granted {
    Operation operation;
    const char* word;
};

constexpr Granted kGranted[] = {{Operation::read, "read"},
                                {Operation::create, "create"},
                                {Operation::update, "update"},
                                {Operation::remove, "delete"}};

std::string name(const model::Principal& to) {
    using Of = model::Principal::Kind;
    switch (to.kind) {
        case Of::any:
            return "everybody";
        case Of::guest:
            return "a guest";
        case Of::signed_in:
            return "a signed-in user";
        case Of::consumer:
            return "a consumer";
        case Of::staff:
            return "staff";
        case Of::server:
            return "the server";
        case Of::org_role:
            return "org:" + to.name;
        case Of::persona:
            return to.name;
    }
    return to.name;
}

bool fields_within(const Grant& grant, const Grant& other) {
    if (other.fields.empty()) return true;
    return !grant.fields.empty() &&
           std::all_of(grant.fields.begin(), grant.fields.end(), [&](std::size_t field) {
               return std::count(other.fields.begin(), other.fields.end(), field) > 0;
           });
}

// True if everything that `grant` gives is also given by `other`.
bool is_within(const Lint& lint, const Grant& grant, const Grant& other) {
    const auto mine = plan::bits(lint.model, grant.to);
    const auto theirs = plan::bits(lint.model, other.to);
    bool anybody = false;
    for (const KnownCaller& known : lint.callers) {
        const Rows rows(lint.model, known);
        if (!rows.is_meant(mine)) continue;
        anybody = true;
        if (!rows.is_meant(theirs)) return false;
        const Formula allowed = rows.holds(grant.condition, "");
        if (implies(allowed, rows.holds(other.condition, "")) != true) return false;
    }
    return anybody && fields_within(grant, other);
}

void redundant(const Lint& lint, const std::vector<Grant>& grants, const std::vector<bool>& empty) {
    for (std::size_t i = 0; i < grants.size(); ++i) {
        for (std::size_t k = 0; k < grants.size() && !empty[i]; ++k) {
            if (i == k || empty[k] || !is_within(lint, grants[i], grants[k])) continue;
            // Of two equal grants only the second one is reported.
            if (i < k && is_within(lint, grants[k], grants[i])) continue;
            lint.findings.warning("GRANT_ADDS_NOTHING", grants[i].path,
                                  "This grant adds nothing for " + name(grants[i].to) +
                                      ": another grant already gives the same to " +
                                      name(grants[k].to) + ".",
                                  "remove it, or narrow the other grant");
            break;
        }
    }
}

// A grant for writes is useless if none of its rows can be read: such rows are not found.
void unread(const Lint& lint, const Entity& entity, const Granted& kind, const Grant& grant) {
    const auto meant = plan::bits(lint.model, grant.to);
    for (const KnownCaller& known : lint.callers) {
        const Rows rows(lint.model, known);
        if (!rows.is_meant(meant)) continue;
        const Formula read = rows.allowed(entity, Operation::read, "");
        if (!is_never(both(read, rows.holds(grant.condition, "")))) return;
    }
    lint.findings.warning("WRITE_WITHOUT_READ", grant.path,
                          "This grant has no effect: " + name(grant.to) +
                              " may not read any of the rows of \"" + entity.name +
                              "\" that the grant allows to " + kind.word + ".",
                          "grant \"read\" on these rows as well, or remove the grant");
}

void idle_denial(const Lint& lint, const Entity& entity, const Granted& kind, const Grant& denial) {
    const auto meant = plan::bits(lint.model, denial.to);
    const auto grants = plan::grants(entity, kind.operation);
    for (const KnownCaller& known : lint.callers) {
        const Rows rows(lint.model, known);
        if (!rows.is_meant(meant)) continue;
        if (!is_never(both(rows.granted(grants, ""), rows.holds(denial.condition, "")))) return;
    }
    lint.findings.warning("DENY_NEVER_APPLIES", denial.path,
                          "This denial has no effect: no grant lets " + name(denial.to) + " " +
                              kind.word + " these rows of \"" + entity.name + "\".",
                          "remove it, or add the grant that is missing");
}

// In whose organisation: the caller's own, or what they may do in that of the row.
bool asks_for_org(const model::ExprPtr& condition) {
    if (!condition) return false;
    const bool own = condition->kind == model::ExprKind::path &&
                     condition->root == model::Root::user &&
                     condition->attribute == model::CallerAttribute::org;
    const bool call = model::is_call(*condition, model::ExprFunction::member) ||
                      model::is_call(*condition, model::ExprFunction::can);
    return own || call || std::ranges::any_of(condition->args, asks_for_org);
}

// A role names everybody who has it in some organisation, not those of the row's own.
void other_orgs(const Lint& lint, const Entity& entity, const Granted& kind, const Grant& grant) {
    const bool by_role = grant.to.kind == model::Principal::Kind::org_role;
    if (!by_role || !entity.owner.org || kind.operation == Operation::create ||
        asks_for_org(grant.condition))
        return;
    lint.findings.warning(
        "OTHER_ORGS_ROWS", grant.path,
        "\"" + name(grant.to) +
            "\" means every caller with this role in any organisation, so this grant lets "
            "them " +
            kind.word + " the rows of all other organisations.",
        "add \"if\": \"org_id == user.org\"");
}

}  // namespace

bool is_never(const Formula& formula) { return implies(formula, always(false)) == true; }

bool lint_condition(const Lint& lint, plan::PrincipalBits who, const model::ExprPtr& condition,
                    const std::string& path) {
    if (!condition) return false;
    bool anybody = false, never = true, ever = true;
    for (const KnownCaller& known : lint.callers) {
        const Rows rows(lint.model, known);
        if (!rows.is_meant(who)) continue;
        anybody = true;
        const Formula formula = rows.holds(condition, "");
        never = never && is_never(formula);
        ever = ever && implies(always(true), formula) == true;
    }
    if (!anybody) return false;
    if (never) {
        lint.findings.warning("CONDITION_NEVER_TRUE", path + "/if",
                              "This condition is never true for any caller that it applies to.",
                              "correct it, or remove what depends on it");
    } else if (ever) {
        lint.findings.warning("CONDITION_ALWAYS_TRUE", path + "/if",
                              "This condition is always true for every caller that it applies to.",
                              "correct it, or remove \"if\"");
    }
    return never;
}

void lint_grants(const Lint& lint, const Entity& entity) {
    if (entity.access.defaulted) return;
    for (const Granted& kind : kGranted) {
        const std::vector<Grant> grants = plan::grants(entity, kind.operation);
        std::vector<bool> empty;
        for (const Grant& grant : grants) {
            empty.push_back(lint_condition(lint, plan::bits(lint.model, grant.to), grant.condition,
                                           grant.path));
            other_orgs(lint, entity, kind, grant);
            const bool writes =
                kind.operation == Operation::update || kind.operation == Operation::remove;
            if (writes && !empty.back()) unread(lint, entity, kind, grant);
        }
        redundant(lint, grants, empty);
        std::vector<Grant> denials = plan::denied(entity.access, kind.operation);
        if (kind.operation == Operation::update) {
            const std::vector<Grant> of_fields = plan::denied_fields(entity.access);
            denials.insert(denials.end(), of_fields.begin(), of_fields.end());
        }
        for (const Grant& denial : denials) {
            const auto who = plan::bits(lint.model, denial.to);
            if (!lint_condition(lint, who, denial.condition, denial.path)) {
                idle_denial(lint, entity, kind, denial);
            }
        }
    }
}

}  // namespace svc::check
