// Conditions that hold a caller back by a field into which they may write themselves.
#include <algorithm>
#include <set>
#include <vector>

#include "check/lint/lint.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Expr;
using model::ExprKind;
using model::Field;
using plan::Operation;
using Literals = std::vector<Formula>;

// The operation and the callers that a condition guards.
struct Guard {
    std::string what;  // the transition "ship"
    plan::PrincipalBits who;
    const model::ExprPtr& condition;
};

bool makes_rows(const Rows& rows, const Entity& entity) {
    return !is_never(rows.allowed(entity, Operation::create, ""));
}

Formula changed_rows(const Lint& lint, const Entity& entity, const Field& field,
                     const KnownCaller& known) {
    if (field.immutable || !may_send(lint.model, field, known)) return always(false);
    const Rows rows(lint.model, known);
    return rows.changed(entity, field.name, rows.reached(entity, Operation::update, ""));
}

// The value of a field that nobody sends.
Formula untouched(const Field& field) {
    const std::string& name = field.name;
    if (field.default_value.kind == model::Default::Kind::none) {
        return test({name + " == null", name + " != null", Atom::Is::null, name, {}, {}, false});
    }
    const std::string& text = field.default_value.text;
    if (field.type != model::FieldType::boolean) return equals(name, text);
    if (text == "true") return test({name, "!" + name, Atom::Is::equal, name, text, text, false});
    return test(
        {name + " == " + text, name + " != " + text, Atom::Is::equal, name, text, text, false});
}

// True for fields that say the state of a row rather than its content: the creator of a row may say
// its kind, its amount and its time.
bool is_a_mark(const Field& field) {
    using Kind = model::Default::Kind;
    const bool literal = field.default_value.kind == Kind::literal;
    if (field.type == model::FieldType::boolean) return true;
    const bool word =
        field.type == model::FieldType::enum_ || field.type == model::FieldType::string;
    return word && literal;
}

void literals(const Formula& formula, const std::string& field, Literals& out) {
    if (formula.atom && formula.atom->is == Atom::Is::equal && formula.atom->subject == field) {
        out.push_back(formula);
    }
    for (const Formula& part : formula.parts) literals(part, field, out);
}

// A row that nobody marked fails `part`; they make one that passes it, or make it pass.
bool opens(const Lint& lint, const Entity& entity, const Field& field, const Formula& part,
           const KnownCaller& known) {
    Literals wanted;
    literals(part, field.name, wanted);
    const Formula fresh = untouched(field);
    if (wanted.empty() || implies(fresh, part) == true) return false;
    const Formula changed = changed_rows(lint, entity, field, known);
    const Formula made = may_send(lint.model, field, known)
                             ? Rows(lint.model, known).allowed(entity, Operation::create, "")
                             : always(false);
    return std::any_of(wanted.begin(), wanted.end(), [&](const Formula& one) {
        if (implies(fresh, opposite(one)) != true) return false;
        const auto can_be = [&](const Formula& rows) {
            return !is_never(rows) && implies(rows, opposite(one)) == false;
        };
        return can_be(made) || (can_be(changed) && implies(changed, part) == false);
    });
}

// A number of the row itself, compared with one that other rows have a part in: `price of what is
// bought × how many` against `credit`. Sent greater, it passes.
const Field* limit(const Entity& entity, const Expr& side, const Expr& other) {
    const auto own = [](const Expr& expr) {
        return expr.kind == ExprKind::path && expr.root != model::Root::user &&
               expr.steps.size() == 1 && expr.steps[0].builtin.empty();
    };
    if (!own(side) || side.root == model::Root::old_) return nullptr;
    bool walks = false, mixes = false;
    for (const auto& part : other.args) {
        walks = walks || (part->kind == ExprKind::path && part->steps.size() > 1);
        mixes = mixes || own(*part);
    }
    return walks && mixes ? &entity.fields[side.steps[0].field] : nullptr;
}

// `wanted`: the value of the condition that lets the caller continue.
void limits(const Entity& entity, const Expr& expr, bool wanted, std::set<const Field*>& out) {
    switch (expr.kind) {
        case ExprKind::and_:
        case ExprKind::or_:
            for (const auto& arg : expr.args) limits(entity, *arg, wanted, out);
            return;
        case ExprKind::not_:
            return limits(entity, *expr.args[0], !wanted, out);
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge: {
            const bool less = expr.kind == ExprKind::lt || expr.kind == ExprKind::le;
            const std::size_t greater = less == wanted ? 1 : 0;
            out.insert(limit(entity, *expr.args[greater], *expr.args[1 - greater]));
            out.erase(nullptr);
            return;
        }
        default:
            return;
    }
}

class Trust {
  public:
    Trust(const Lint& lint, const Entity& entity) : lint_(lint), entity_(entity) {
        for (const KnownCaller& known : lint.callers) {
            const Caller::Kind kind = known.caller.kind;
            const bool staff = (known.bits & plan::bits(lint.model, {kStaff, ""})) != 0;
            if (!staff && kind != Caller::Kind::server && kind != Caller::Kind::org_role)
                callers_.push_back(&known);
        }
    }

    void guard(const Guard& guard) {
        if (!guard.condition) return;
        for (const KnownCaller* known : callers_) {
            if ((guard.who & known->bits) == 0) continue;
            const Formula rows = condition(lint_.model, guard.condition, &known->user);
            const bool all = rows.kind == Formula::Kind::all;
            for (const Formula& part : all ? rows.parts : Literals{rows}) {
                for (const Field& field : entity_.fields) {
                    if (is_a_mark(field) && opens(lint_, entity_, field, part, *known))
                        report(field, guard.what, *known);
                }
            }
            sent(guard.what, *guard.condition, true, *known);
        }
    }

    void rule(const model::Rule& rule) {
        if (!rule.refuse) return;
        for (const KnownCaller* known : callers_) sent("A rule", *rule.refuse, false, *known);
    }

  private:
    static constexpr auto kStaff = model::Principal::Kind::staff;

    void sent(const std::string& what, const Expr& expr, bool wanted, const KnownCaller& known) {
        std::set<const Field*> found;
        limits(entity_, expr, wanted, found);
        for (const Field* field : found) {
            const bool made = may_send(lint_.model, *field, known) &&
                              makes_rows(Rows(lint_.model, known), entity_);
            const bool open = made || !is_never(changed_rows(lint_, entity_, *field, known));
            if (open) report(*field, what, known);
        }
    }

    void report(const Field& field, const std::string& what, const KnownCaller& known) {
        if (!reported_.insert(&field).second) return;
        lint_.findings.warning("FIELD_TRUSTED", field.path,
                               what + " of \"" + entity_.name + "\" restricts " +
                                   known.caller.name + " by \"" + field.name + "\", but " +
                                   known.caller.name + " may write this field.",
                               "list the personas that may write the field: \"write\": […]");
    }

    const Lint& lint_;
    const Entity& entity_;
    std::vector<const KnownCaller*> callers_;
    std::set<const Field*> reported_;
};

}  // namespace

void lint_trust(const Lint& lint, const Entity& entity) {
    Trust trust(lint, entity);
    if (entity.lifecycle) {
        for (const model::Transition& move : entity.lifecycle->transitions) {
            trust.guard({"The transition \"" + move.name + "\"", plan::bits(lint.model, move.by),
                         move.condition});
        }
    }
    for (const model::Grant& grant : entity.access.update) {
        trust.guard(
            {"The grant to update rows", plan::bits(lint.model, grant.to), grant.condition});
    }
    for (const model::Grant& grant : entity.access.remove) {
        trust.guard(
            {"The grant to delete rows", plan::bits(lint.model, grant.to), grant.condition});
    }
    for (const model::Rule& rule : entity.rules) trust.rule(rule);
}

}  // namespace svc::check
