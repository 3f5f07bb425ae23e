#include "check/check.hpp"

#include <algorithm>
#include <string>

#include "check/flow/flows.hpp"
#include "check/lint/lint.hpp"
#include "check/page/pages.hpp"

namespace svc::check {
namespace {

void fields_nobody_fills(const model::Entity& entity, diag::Findings& findings) {
    for (const model::Field& field : entity.fields) {
        const bool left_to_server = field.required && field.write && field.write->empty() &&
                                    field.default_value.kind == model::Default::Kind::none &&
                                    !field.computed && !field.lifecycle &&
                                    field.type != model::FieldType::sequence;
        if (!left_to_server) continue;
        findings.warning("REQUIRED_BUT_NOT_WRITABLE", field.path + "/write",
                         "\"" + field.name +
                             "\" is required, but no persona may write it, so only the server can "
                             "create rows of \"" +
                             entity.name + "\".",
                         "give the field a default, or let a persona write it");
    }
}

void blind_personas(const Lint& lint) {
    if (lint.model.entities.empty()) return;
    for (std::size_t i = 0; i < lint.model.personas.size(); ++i) {
        const std::string& id = lint.model.personas[i].id;
        // A role in an organisation may let them see.
        const bool sees =
            std::any_of(lint.callers.begin(), lint.callers.end(), [&](const KnownCaller& known) {
                if (known.caller.name != id && known.caller.persona != id) return false;
                const Rows rows(lint.model, known);
                return std::any_of(
                    lint.model.entities.begin(), lint.model.entities.end(),
                    [&](const model::Entity& entity) {
                        return !is_never(rows.allowed(entity, plan::Operation::read, ""));
                    });
            });
        if (sees) continue;
        lint.findings.warning("PERSONA_SEES_NOTHING", "/personas/" + std::to_string(i),
                              "\"" + id + "\" may not read any entity.",
                              "grant it \"read\" on an entity, or remove the persona");
    }
}

// Warns if anybody can get the rights of the people who run the app.
void strangers_as_staff(const Lint& lint) {
    if (lint.model.auth.signup == model::Auth::Signup::disabled) return;
    for (std::size_t i = 0; i < lint.model.personas.size(); ++i) {
        const model::Persona& persona = lint.model.personas[i];
        if (!persona.signup || persona.kind != model::PersonaKind::staff) continue;
        lint.findings.warning(
            "STAFF_SIGNS_UP", "/personas/" + std::to_string(i) + "/signup",
            "People who sign up may choose the staff persona \"" + persona.id + "\".",
            "remove \"signup\" from it: an administrator gives accounts their "
            "persona");
    }
}

// Warns if the first person who signs up with an address gets its rights before the address is
// proven. Without passwords only the owner of the mailbox can sign in.
void unproven_members(const Lint& lint) {
    const model::Auth& auth = lint.model.auth;
    const bool may_sign_up = auth.signup != model::Auth::Signup::disabled && auth.password;
    if (lint.model.org_roles.empty() || auth.verify_email || !may_sign_up) return;
    lint.findings.warning("ORGS_WITHOUT_VERIFIED_EMAIL", "/orgs",
                          "Accounts may join organisations, but the app does not verify the "
                          "e-mail addresses of accounts.",
                          "add \"auth\": {\"verifyEmail\": true}");
}

}  // namespace

void check_entities(const model::Model& model, diag::Findings& findings) {
    const std::vector<KnownCaller> all = callers(model);
    const Lint lint{model, all, findings};
    for (const model::Entity& entity : model.entities) {
        fields_nobody_fills(entity, findings);
        lint_lifecycle(lint, entity);
        lint_grants(lint, entity);
        lint_fields(lint, entity);
        lint_trust(lint, entity);
        lint_rules(lint, entity);
        lint_tables(lint, entity);
        lint_deletes(lint, entity);
    }
    blind_personas(lint);
    strangers_as_staff(lint);
    unproven_members(lint);
}

void check_uses(const model::Model& model, diag::Findings& findings) {
    check_flows(model, findings);
    check_pages(model, findings);
}

diag::Findings check(const model::Model& model) {
    diag::Findings findings;
    check_entities(model, findings);
    check_uses(model, findings);
    return findings;
}

}  // namespace svc::check
