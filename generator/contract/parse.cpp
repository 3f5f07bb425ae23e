#include "contract/parse.hpp"

#include "contract/keys/keys.hpp"
#include "contract/read/read_flow.hpp"
#include "contract/read/read_grants.hpp"
#include "contract/read/read_pages.hpp"
#include "contract/read/read_queries.hpp"
#include "contract/read/read_services.hpp"
#include "contract/read/reader.hpp"
#include "contract/shape/shape.hpp"

namespace svc::contract {
namespace {

Theme read_theme(const Reader& in) {
    return {in.maybe_text("accent"), in.maybe_text("font"), in.maybe_value("radius")};
}

App read_app(const Reader& in) {
    App app{in.text("name"),           in.text("description"),  in.maybe_text("timezone"),
            in.maybe_text("currency"), in.maybe_text("locale"), {}};
    if (const Value* theme = in.find("theme")) app.theme = read_theme(Reader(*theme));
    return app;
}

Persona read_persona(const Reader& in) {
    Persona persona;
    persona.id = in.text("id");
    persona.kind = in.text("kind");
    persona.label = in.text("label");
    persona.extends = in.texts("extends");
    persona.path = in.path();
    if (in.find("signup") != nullptr) persona.signup = in.flag("signup");
    persona.mfa_required = in.find("mfa") != nullptr;
    return persona;
}

Auth read_auth(const Reader& in) {
    Auth auth;
    auth.signup = in.text("signup");
    auth.verify_email = in.flag("verifyEmail");
    if (const Value* password = in.find("password")) {
        auth.min_password = Reader(*password).maybe_value("min");
        auth.refuse_common = Reader(*password).flag("refuseCommon");
    }
    if (const Value* session = in.find("session")) {
        auth.session_idle = Reader(*session).maybe_text("idle");
        auth.session_max = Reader(*session).maybe_text("max");
    }
    auth.methods = in.maybe_texts("methods");
    auth.providers = read_providers(in);
    for (const Member& mail : in.members("mails")) {
        const Reader text(mail.value);
        auth.mails.push_back({mail.name, text.maybe_text("subject"), text.text("text")});
    }
    return auth;
}

Field read_field(const Reader& in, const Value& value) {
    Field field;
    field.name = in.text("name");
    field.type = in.text("type");
    field.label = in.text("label");
    field.required = in.flag("required");
    field.unique = in.flag("unique");
    field.immutable = in.flag("immutable");
    field.index = in.flag("index");
    field.default_value = in.maybe_value("default");
    field.min = in.maybe_value("min");
    field.max = in.maybe_value("max");
    field.scale = in.maybe_value("scale");
    field.pattern = in.maybe_text("pattern");
    field.prefix = in.maybe_text("prefix");
    field.to = in.maybe_text("to");
    field.on_delete = in.maybe_text("onDelete");
    field.renamed_from = in.maybe_text("renamedFrom");
    field.computed = in.maybe_text("computed");
    field.values = in.maybe_texts("values");
    field.read = in.maybe_texts("read");
    field.write = in.maybe_texts("write");
    for (const Member& member : in.members("labels"))
        field.labels.emplace_back(member.name, Text{member.value.text, member.value.path});
    for (const Member& member : value.members) field.given.push_back(member.name);
    field.path = in.path();
    return field;
}

Transition read_transition(const Reader& in) {
    Transition transition{in.text("name"),
                          in.texts("from"),
                          in.text("to"),
                          in.texts("by"),
                          in.maybe_text("if"),
                          in.maybe_text("else"),
                          {},
                          in.path()};
    for (const Member& member : in.members("set")) {
        transition.set.emplace_back(member.name, Text{member.value.text, member.value.path});
    }
    return transition;
}

Lifecycle read_lifecycle(const Reader& in) {
    Lifecycle lifecycle{
        in.text("field"), in.text("initial"), in.texts("states"), in.texts("final"), {}, in.path()};
    for (const Value& item : in.items("transitions")) {
        lifecycle.transitions.push_back(read_transition(Reader(item)));
    }
    return lifecycle;
}

Grants read_operations(const Reader& in) {
    return {read_grants(in, "read"), read_grants(in, "create"), read_grants(in, "update"),
            read_grants(in, "delete")};
}

Access read_access(const Reader& in) {
    Access access;
    access.same_as = in.maybe_text("same_as");
    access.grants = read_operations(in);
    if (const Value* deny = in.find("deny")) access.deny = read_operations(Reader(*deny));
    for (const std::string_view key : {"read", "create", "update", "delete", "deny"}) {
        access.has_grants = access.has_grants || in.find(key) != nullptr;
    }
    access.path = in.path();
    return access;
}

Rule read_rule(const Reader& in) {
    return {in.texts("on"), in.text("refuse"), in.text("message"), in.maybe_text("field"),
            in.path()};
}

SoftDelete read_soft_delete(const Value& value) {
    if (value.is(Value::Kind::boolean)) return {value.text == "true", std::nullopt};
    return {true, Reader(value).maybe_text("keep")};
}

Entity read_entity(const Reader& in) {
    Entity entity;
    entity.name = in.text("name");
    entity.label = in.text("label");
    entity.owner = in.text("owner");
    for (const Value& item : in.items("fields")) {
        entity.fields.push_back(read_field(Reader(item), item));
    }
    for (const Member& member : in.members("relations")) {
        const Reader relation(member.value);
        entity.relations.push_back(
            {member.name, relation.text("many"), relation.text("by"), relation.path()});
    }
    if (const Value* value = in.find("lifecycle"))
        entity.lifecycle = read_lifecycle(Reader(*value));
    if (const Value* value = in.find("access")) entity.access = read_access(Reader(*value));
    for (const Value& item : in.items("rules")) entity.rules.push_back(read_rule(Reader(item)));
    entity.unique = in.text_lists("unique");
    entity.indexes = in.text_lists("indexes");
    entity.search = in.maybe_texts("search");
    if (const Value* value = in.find("external")) {
        const Reader external(*value);
        entity.external = {external.text("kind"), external.text("connection"),
                           external.text("table"), external.text("key"), external.path()};
    }
    if (const Value* value = in.find("softDelete")) entity.soft_delete = read_soft_delete(*value);
    entity.audit = in.flag("audit");
    entity.display = in.maybe_text("display");
    entity.renamed_from = in.maybe_text("renamedFrom");
    entity.path = in.path();
    return entity;
}

Contract read_contract(const Reader& in) {
    Contract contract;
    if (const Value* app = in.find("app")) contract.app = read_app(Reader(*app));
    for (const Value& item : in.items("personas")) {
        contract.personas.push_back(read_persona(Reader(item)));
    }
    if (const Value* auth = in.find("auth")) contract.auth = read_auth(Reader(*auth));
    if (const Value* orgs = in.find("orgs")) {
        contract.orgs = {Reader(*orgs).flag("enabled"), Reader(*orgs).texts("roles")};
    }
    for (const Value& item : in.items("entities")) {
        contract.entities.push_back(read_entity(Reader(item)));
    }
    contract.flows = read_flows(in);
    contract.queries = read_queries(in);
    contract.flows = read_flows(in);
    contract.services = read_services(in);
    contract.pages = read_pages(in);
    contract.components = read_components(in);
    contract.seeds = in.maybe_value("seeds");
    return contract;
}

}  // namespace

Parsed parse(std::string_view text) {
    Parsed parsed;
    std::optional<Value> root = read_json(text, parsed.findings);
    if (!root) return parsed;
    check_shape(*root, contract_shape(), parsed.findings);
    if (!root->is(Value::Kind::object)) return parsed;
    const Reader in(*root);
    parsed.contract = read_contract(in);
    parsed.contract->doubtful = parsed.findings.doubted();
    return parsed;
}

}  // namespace svc::contract
