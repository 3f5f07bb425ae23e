#include <algorithm>
#include <memory>
#include <set>

#include "check/lint/lint.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Field;
using plan::Operation;

std::vector<const KnownCaller*> meant(const Lint& lint, const model::Grant& grant) {
    std::vector<const KnownCaller*> out;
    for (const KnownCaller& known : lint.callers) {
        if ((plan::bits(lint.model, grant.to) & known.bits) != 0) out.push_back(&known);
    }
    return out;
}

// Rows that this grant lets nobody make.
void cannot_be_made(const Lint& lint, const Entity& entity, const model::Grant& grant) {
    const std::vector<const KnownCaller*> who = meant(lint, grant);
    if (who.empty()) return;
    for (const Field& field : entity.fields) {
        const bool needed = field.required && !field.lifecycle && !field.computed &&
                            field.default_value.kind == model::Default::Kind::none &&
                            field.type != model::FieldType::sequence;
        if (!needed || (field.write && field.write->empty())) continue;
        const bool sent = std::any_of(who.begin(), who.end(), [&](const KnownCaller* known) {
            return may_send(lint.model, field, *known);
        });
        if (!sent) {
            lint.findings.warning(
                "CREATE_LACKS_FIELD", grant.path,
                "Callers who may create rows of \"" + entity.name +
                    "\" by this grant may not send the required field \"" + field.name + "\".",
                "let them write the field, give it a default, or remove the grant");
            return;
        }
        if (field.type != model::FieldType::ref) continue;
        const Entity& target = lint.model.entities[field.ref_entity];
        const bool seen = std::any_of(who.begin(), who.end(), [&](const KnownCaller* known) {
            return known->caller.kind == Caller::Kind::server ||
                   !is_never(Rows(lint.model, *known).allowed(target, Operation::read, ""));
        });
        if (seen) continue;
        lint.findings.warning("REF_TO_HIDDEN_ROWS", grant.path,
                              "Callers who may create rows of \"" + entity.name +
                                  "\" by this grant must name a row of \"" + target.name +
                                  "\", but may read none of them.",
                              "let these callers read \"" + target.name + "\"");
    }
}

// Addresses of people that anybody may collect.
void open_contacts(const Lint& lint, const Entity& entity) {
    const KnownCaller& guest = lint.callers.front();
    if (is_never(Rows(lint.model, guest).allowed(entity, Operation::read, ""))) return;
    for (const Field& field : entity.fields) {
        const bool contact =
            field.type == model::FieldType::email || field.type == model::FieldType::phone;
        if (!contact || !may_see(lint.model, field, guest)) continue;
        lint.findings.warning("CONTACTS_FOR_GUESTS", field.path,
                              "Callers who are not signed in may read \"" + field.name +
                                  "\" of \"" + entity.name +
                                  "\": anybody can collect these addresses.",
                              "list the personas that may read the field: \"read\": […]");
    }
}

void trusted(const Lint& lint, const Field& field, const std::string& message,
             const std::string& fix) {
    lint.findings.warning("FIELD_TRUSTED", field.path, message, fix);
}

// Warns if the paying caller sets the price.
void own_price(const Lint& lint, const Entity& entity) {
    if (!lint.model.payments) return;
    const auto& payments = *lint.model.payments;
    if (&lint.model.entities[payments.catalogue] != &entity) return;
    const Field& price = entity.fields[payments.price];
    for (const KnownCaller& known : lint.callers) {
        const bool staff =
            (known.bits & plan::bits(lint.model, {model::Principal::Kind::staff, ""})) != 0;
        if (staff || known.caller.kind == Caller::Kind::server ||
            !may_send(lint.model, price, known))
            continue;
        const Formula rows = Rows(lint.model, known).reached(entity, Operation::update, "");
        if (price.immutable || implies(always(true), rows) != true) continue;
        return trusted(lint, price,
                       "Payments charge the price in \"" + price.name + "\", and " +
                           known.caller.name + " may write this field on every row.",
                       "list the personas that may write the field: \"write\": […]");
    }
}

using SharedAtoms = std::vector<std::shared_ptr<const Atom>>;

void collect_shared(const Formula& formula, SharedAtoms& out) {
    if (formula.kind == Formula::Kind::holds) out.push_back(formula.atom);
    for (const Formula& part : formula.parts) collect_shared(part, out);
}

// A field that says whose the row is: author == user.id.
const Field* owner_field(const Entity& entity, const Atom& atom) {
    for (const Field& field : entity.fields) {
        for (const char* who : {" == user.id", " == user.email"}) {
            if (atom.text == field.name + who) return &field;
        }
    }
    return nullptr;
}

// Warns if policies distinguish rows by a field that the creator may set freely: a caller could
// create rows in the name of others.
void free_owner(const Lint& lint, const Entity& entity) {
    if (entity.access.defaulted || entity.owner.user) return;
    for (const KnownCaller& known : lint.callers) {
        if (known.caller.kind != Caller::Kind::consumer) continue;
        const Rows rows(lint.model, known);
        const Formula made = rows.allowed(entity, Operation::create, "");
        if (is_never(made)) continue;
        SharedAtoms atoms;
        for (const auto operation : {Operation::read, Operation::update, Operation::remove}) {
            collect_shared(rows.allowed(entity, operation, ""), atoms);
        }
        const Field* free = nullptr;
        std::string wanted;
        for (const auto& atom : atoms) {
            const Field* field = owner_field(entity, *atom);
            if (field == nullptr || !may_send(lint.model, *field, known)) continue;
            if (implies(made, test(*atom)) != false) return;
            if (free != nullptr) continue;
            free = field;
            wanted = atom->text;
        }
        if (free == nullptr) continue;
        return trusted(
            lint, *free,
            "Access to \"" + entity.name + "\" relies on \"" + free->name + "\", but " +
                known.caller.name +
                " may create rows with any value in this field, also with the id of another user.",
            "grant \"create\" with \"if\": \"" + wanted + "\"");
    }
}

void fields_of(const model::Expr& expr, std::set<std::size_t>& out) {
    if (expr.kind == model::ExprKind::path && expr.steps.size() == 1 &&
        expr.steps[0].builtin.empty()) {
        out.insert(expr.steps[0].field);
    }
    for (const auto& arg : expr.args) fields_of(*arg, out);
}

// Warns if a formula reveals a field that it uses.
void shown_by_formula(const Lint& lint, const Entity& entity) {
    for (const Field& field : entity.fields) {
        if (!field.computed) continue;
        std::set<std::size_t> parts;
        fields_of(*field.computed, parts);
        for (const std::size_t part : parts) {
            const Field& hidden = entity.fields[part];
            const auto learns = [&](const KnownCaller& known) {
                return may_see(lint.model, field, known) && !may_see(lint.model, hidden, known) &&
                       !is_never(Rows(lint.model, known).allowed(entity, Operation::read, ""));
            };
            const auto who = std::find_if(lint.callers.begin(), lint.callers.end(), learns);
            if (who == lint.callers.end()) continue;
            lint.findings.warning("COMPUTED_SHOWS_HIDDEN_FIELD", field.path + "/computed",
                                  "\"" + field.name + "\" is computed from \"" + hidden.name +
                                      "\", which " + who->caller.name + " may not read.",
                                  "give both fields the same \"read\" list, or remove \"" +
                                      hidden.name + "\" from the expression");
        }
    }
}

}  // namespace

void lint_fields(const Lint& lint, const Entity& entity) {
    if (!entity.access.defaulted) {
        for (const model::Grant& grant : entity.access.create) cannot_be_made(lint, entity, grant);
    }
    open_contacts(lint, entity);
    own_price(lint, entity);
    free_owner(lint, entity);
    shown_by_formula(lint, entity);
}

}  // namespace svc::check
