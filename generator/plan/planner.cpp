#include "plan/planner.hpp"

#include "base/append.hpp"
#include "plan/access.hpp"
#include "plan/access/policies.hpp"
#include "plan/external/external.hpp"
#include "plan/names.hpp"
#include "plan/search/search.hpp"
#include "plan/seed/seed_rules.hpp"
#include "plan/served/served.hpp"
#include "plan/service/connectors.hpp"
#include "plan/service/files.hpp"
#include "plan/service/payments.hpp"
#include "plan/service/topics.hpp"
#include "plan/table/patterns.hpp"
#include "plan/table/relations.hpp"
#include "plan/table/tables.hpp"
#include "plan/write/field_triggers.hpp"
#include "plan/write/kept.hpp"
#include "plan/write/lifecycle.hpp"
#include "plan/write/records.hpp"
#include "plan/write/triggers.hpp"

namespace svc::plan {
namespace {

using base::append;
using model::Entity;
using model::Model;

constexpr std::size_t kMaxPrincipals = 64;
constexpr std::size_t kMaxColumns = 256;
constexpr std::size_t kMadeColumns = 5;  // id, user_id, org_id, created_at, updated_at

// Functions stand before the triggers and policies that call them.
void plan_routines(const Model& model, Plan& plan) {
    for (const Entity& entity : model.entities) {
        if (!entity.external) continue;
        plan.externals.push_back(plan_external(entity));
        plan.routines.push_back(plan_foreign(entity));
    }
    for (const Entity& entity : model.entities) {
        if (entity.external) {
            append(plan.routines, plan_view(model, entity));
            continue;
        }
        append(plan.routines, plan_guard(entity));
        append(plan.routines, plan_fields(model, entity));
        append(plan.routines, plan_file_fields(model, entity));
        append(plan.routines, plan_rules(model, entity));
        append(plan.routines, plan_records(entity));
        append(plan.routines, plan_kept(model, entity));
        append(plan.routines, plan_payment_lines(model, entity));
        if (entity.lifecycle) plan.routines.push_back(plan_transitions(model, entity));
        append(plan.routines, plan_policies(model, entity));
        append(plan.routines, plan_search(model, entity));
    }
    append(plan.routines, plan_file_readers(model));
}

std::vector<std::string> principal_names(const Model& model) {
    std::vector<std::string> names = {"svc::principal::kGuest", "svc::principal::kSignedIn",
                                      "svc::principal::kConsumer", "svc::principal::kStaff",
                                      "svc::principal::kServer"};
    for (const model::Persona& persona : model.personas) {
        names.push_back("to::" + cpp_identifier(persona.id));
    }
    for (const std::string& role : model.org_roles)
        names.push_back("to::org::" + cpp_identifier(role));
    return names;
}

void plan_app(const Model& model, Plan& plan) {
    plan.app_name = model.app.name;
    plan.namespace_name = namespace_name(model.app.name);
    plan.timezone = model.app.timezone;
    plan.currency = model.app.currency;
    plan.signup = model.auth.signup;
    for (const model::MailText& mail : model.auth.mails)
        plan.mails.push_back({mail.kind, mail.subject, mail.text});
    for (const model::Provider& in : model.auth.providers)
        plan.providers.push_back({cpp_identifier(in.id), in.id, in.label, in.issuer, in.preset,
                                  in.client_id, in.client_secret, in.scopes});
    plan.ai = model.ai;
    plan.files = serve_files(model.files);
    plan.connectors = connectors_document(model);
    plan.password_sign_in = model.auth.password;
    plan.magic = model.auth.magic;
    plan.passkey = model.auth.passkey;
    plan.refuse_common = model.auth.refuse_common;
    plan.verify_email = model.auth.verify_email;
    plan.min_password = model.auth.min_password;
    plan.session_idle = model.auth.session_idle;
    plan.session_max = model.auth.session_max;
    plan.personas = serve_personas(model);
    plan.org_roles = model.org_roles;
    plan.principal_names = principal_names(model);
}

}  // namespace

void check_limits(const Model& model, diag::Findings& findings) {
    if (5 + model.personas.size() + model.org_roles.size() > kMaxPrincipals) {
        findings.error("TOO_MANY_PERSONAS", "/personas",
                       "An app can have at most 59 personas and organisation roles together.",
                       "Merge some of them.");
    }
    for (const Entity& entity : model.entities) {
        if (entity.fields.size() + kMadeColumns > kMaxColumns) {
            findings.error("TOO_MANY_FIELDS", entity.path + "/fields",
                           entity.name + " has more than 251 fields.",
                           "Split it into two entities.");
        }
    }
}

PlanResult make_plan(const Model& model, const std::string& contract_hash) {
    PlanResult out;
    check_limits(model, out.findings);
    check_names(model, out.findings);
    if (out.findings.has_errors()) return out;

    Plan plan;
    plan.contract_hash = contract_hash;
    plan_app(model, plan);
    for (const Entity& entity : model.entities) {
        append(plan.routines, plan_sequences(entity));
        plan.tables.push_back(plan_table(model, entity));
        plan.entities.push_back(serve_entity(model, entity));
        for (Route& route : serve_routes(model, entity)) plan.routes.push_back(std::move(route));
    }
    plan.site = plan_site(model, plan.entities);
    plan_routines(model, plan);
    plan_queries(model, plan);
    plan_seeds(model, plan);
    plan.patterns = plan_patterns(model);
    plan.seed_rules = plan_seed_rules(model);
    plan.topics = plan_topics(model, out.findings);
    check_relations(plan, out.findings);
    out.plan = std::move(plan);
    return out;
}

}  // namespace svc::plan
