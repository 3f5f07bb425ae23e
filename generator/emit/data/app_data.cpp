#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::Plan;

constexpr std::size_t kFirstPersona = 5;

Data persona_data(const Plan& plan, const plan::ServedPersona& persona, std::size_t index) {
    Data out;
    out["value"] = persona.cpp_value;
    out["bit"] = std::to_string(kFirstPersona + index);
    out["id"] = cpp_literal(persona.id);
    out["label"] = cpp_literal(persona.label);
    out["kind"] = persona.kind;
    out["signup"] = std::string(persona.signup ? "true" : "false");
    out["mfa"] = std::string(persona.mfa_required ? ", .mfa_required = true" : "");
    out["principals"] = principals(persona.principals, plan.principal_names);
    out["names"] = cpp_literal(persona.names);
    return out;
}

// The principals with any grant, by operation: the routes of the entity note them.
Data route_group(const Plan& plan, const plan::ServedEntity& entity) {
    using Action = plan::Route::Action;
    Data routes{Data::type::list};
    Data out;
    for (const plan::Route& route : plan.routes) {
        if (route.entity != entity.cpp_value) continue;
        Data one;
        one["method"] = std::string(base::word(route.method));
        one["path"] = cpp_literal(route.path);
        one["action"] = std::string(base::word(route.action));
        one["entity"] = route.entity;
        routes.push_back(one);
        if (route.action == Action::list) out["read"] = route.note;
        if (route.action == Action::create) out["create"] = route.note;
        if (route.action == Action::update) out["update"] = route.note;
        if (route.action == Action::remove) out["remove"] = route.note;
    }
    out["table"] = entity.name;
    out["file"] = entity.name;
    out["value"] = entity.cpp_value;
    out["routes"] = std::move(routes);
    return out;
}

Data org_roles_data(const Plan& plan) {
    Data out{Data::type::list};
    for (std::size_t i = 0; i < plan.org_roles.size(); ++i) {
        const std::size_t bit = kFirstPersona + plan.personas.size() + i;
        const std::string& name = plan.principal_names[bit];
        Data one;
        one["value"] = name.substr(name.rfind(':') + 1);
        one["bit"] = std::to_string(bit);
        out.push_back(one);
    }
    return out;
}

// queries::reports::top_products
Data queries_data(const Plan& plan) {
    const std::size_t app = ("app::" + plan.namespace_name + "::").size();
    Data out{Data::type::list};
    for (const plan::Query& query : plan.queries) {
        Data one;
        one["namespace"] = query_namespace(plan, query).substr(app) + "::" + query.cpp_value;
        one["file"] = query.name;
        out.push_back(one);
    }
    return out;
}

Data providers_data(const Plan& plan) {
    Data out{Data::type::list};
    for (const plan::SignInProvider& provider : plan.providers) {
        std::string scopes;
        for (const std::string& scope : provider.scopes)
            scopes += (scopes.empty() ? "" : ", ") + cpp_literal(scope);
        Data one;
        one["value"] = provider.cpp_value;
        one["id"] = cpp_literal(provider.id);
        one["label"] = cpp_literal(provider.label);
        one["issuer"] = cpp_literal(provider.issuer);
        one["preset"] = cpp_literal(provider.preset);
        one["client_id"] = cpp_literal(provider.client_id);
        one["secret"] = cpp_literal(provider.secret);
        one["scopes"] = scopes;
        out.push_back(one);
    }
    return out;
}

Data mails_data(const Plan& plan) {
    Data out{Data::type::list};
    for (const plan::MailText& mail : plan.mails) {
        Data one;
        one["kind"] = cpp_literal(std::string(base::word(mail.kind)));
        one["subject"] = cpp_literal(mail.subject);
        one["text"] = cpp_literal(mail.text);
        out.push_back(one);
    }
    return out;
}

// The settings that differ from the runtime's defaults.
std::string sign_in_data(const Plan& plan) {
    std::string out;
    if (!plan.password_sign_in) out += ", .password = false";
    if (!plan.magic) out += ", .magic = false";
    if (plan.refuse_common) out += ", .refuse_common = true";
    if (!plan.providers.empty()) out += ", .providers = kProviders";
    if (!plan.mails.empty()) out += ", .mails = kMails";
    if (!plan.passkey) out += ", .passkey = false";
    return out;
}

std::string number_of(const std::optional<std::uint32_t>& number) {
    return number ? std::to_string(*number) : "-1";
}

// The contract's settings of models; nothing if it has no such block.
void add_ai(const model::Ai& ai, Data& out) {
    out["has_ai"] = ai.present;
    std::string models;
    for (const std::string& model : ai.models)
        models += (models.empty() ? "" : ", ") + cpp_literal(model);
    out["has_ai_models"] = !ai.models.empty();
    out["ai_models"] = models;
    out["ai_models_value"] = std::string(ai.models.empty() ? "" : ", .models = kAiModels");
    out["ai_model"] = cpp_literal(ai.model);
    out["ai_embed_model"] = cpp_literal(ai.embed_model);
    out["ai_system"] = cpp_literal(ai.system);
    out["ai_input"] = std::to_string(ai.max_input_chars);
    out["ai_output"] = std::to_string(ai.max_output_tokens);
    out["ai_user"] = number_of(ai.per_user_daily);
    out["ai_project"] = number_of(ai.per_project_daily);
}

std::string mime_data(const plan::ServedFiles& files) {
    std::string out;
    for (const std::string& type : files.mime) out += (out.empty() ? "" : ", ") + cpp_literal(type);
    return out;
}

// The settings that differ from the runtime's defaults.
std::string file_settings(const plan::ServedFiles& files) {
    std::string out = ".max_size = " + std::to_string(files.max_size);
    if (!files.mime.empty()) out += ", .mime = kMime";
    if (files.user_quota != 0) out += ", .user_quota = " + std::to_string(files.user_quota);
    if (files.project_quota != 0)
        out += ", .project_quota = " + std::to_string(files.project_quota);
    return out;
}

void add_files(const plan::ServedFiles& files, Data& out) {
    out["files"] = file_settings(files);
    out["has_files"] = !files.usual;
    out["has_mime"] = !files.mime.empty();
    out["mime"] = mime_data(files);
}

// Entities with their routes, and named queries.
void add_tables(const Plan& plan, Data& out) {
    Data entities{Data::type::list};
    for (const plan::ServedEntity& entity : plan.entities)
        entities.push_back(route_group(plan, entity));
    const bool has_entities = !plan.entities.empty();
    out["entities"] = std::move(entities);
    out["has_entities"] = has_entities;
    out["entities_span"] = std::string(has_entities ? "kEntities" : "{}");
    out["routes_value"] = std::string(has_entities ? " = kRoutes" : "");
    out["queries"] = queries_data(plan);
    out["has_queries"] = !plan.queries.empty();
    out["queries_span"] = std::string(plan.queries.empty() ? "{}" : "kQueries");
}

void add_personas(const Plan& plan, Data& out) {
    Data personas{Data::type::list};
    for (std::size_t i = 0; i < plan.personas.size(); ++i)
        personas.push_back(persona_data(plan, plan.personas[i], i));
    const bool has_personas = !plan.personas.empty();
    out["personas"] = std::move(personas);
    out["has_personas"] = has_personas;
    out["personas_span"] = std::string(has_personas ? "kPersonas" : "{}");
}

void add_org_roles(const Plan& plan, Data& out) {
    std::string roles;
    for (const std::string& role : plan.org_roles)
        roles += (roles.empty() ? "" : ", ") + cpp_literal(role);
    out["has_org_roles"] = !plan.org_roles.empty();
    out["org_roles"] = org_roles_data(plan);
    out["org_roles_list"] = roles;
    out["org_roles_span"] = std::string(plan.org_roles.empty() ? "{}" : "kOrgRoles");
}

// The settings of sign-up and sign-in.
void add_people(const Plan& plan, Data& out) {
    add_personas(plan, out);
    add_org_roles(plan, out);
    out["signup"] = std::string(base::word(plan.signup));
    out["verify_email"] = std::string(plan.verify_email ? "true" : "false");
    out["min_password"] = std::to_string(plan.min_password);
    out["session_idle"] = std::to_string(plan.session_idle);
    out["session_max"] = std::to_string(plan.session_max);
    out["sign_in"] = sign_in_data(plan);
    out["has_providers"] = !plan.providers.empty();
    out["providers"] = providers_data(plan);
    out["has_mails"] = !plan.mails.empty();
    out["mails"] = mails_data(plan);
}

}  // namespace

Data app_data(const Plan& plan) {
    Data out;
    out["app"] = plan.namespace_name;
    out["name"] = cpp_literal(plan.app_name);
    out["timezone"] = cpp_literal(plan.timezone);
    out["contract"] = cpp_literal(plan.contract_hash);
    out["visibility"] = cpp_literal(plan.visibility);
    add_tables(plan, out);
    add_people(plan, out);
    add_ai(plan.ai, out);
    add_files(plan.files, out);
    out["has_topics"] = !plan.topics.empty();
    out["has_flows"] = !plan.flows.all.empty();
    out["has_scripts"] = !plan.site.shown.empty();
    out["has_connectors"] = !plan.connectors.empty();
    out["connectors"] = cpp_literal(plan.connectors);
    return out;
}

}  // namespace svc::emit
