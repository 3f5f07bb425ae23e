#include "model/names.hpp"

#include <algorithm>

namespace svc::model {
namespace {

std::vector<std::string> reserved(NameKind kind) {
    switch (kind) {
        case NameKind::entity:
            return {"search", "ext", "openapi", "svc"};
        case NameKind::field:
            return {"id",   "created_at", "updated_at", "user_id", "org_id", "xmin",
                    "xmax", "cmin",       "cmax",       "ctid",    "oid",    "tableoid",
                    "user", "old",        "new",        "input",   "steps",  "actor"};
        case NameKind::foreign_field:  // an external table may have these times itself
            return {"id",  "user_id",  "org_id", "xmin", "xmax", "cmin",  "cmax",  "ctid",
                    "oid", "tableoid", "user",   "old",  "new",  "input", "steps", "actor"};
        case NameKind::relation:
            return {"user", "old", "new", "input", "steps", "actor"};
        case NameKind::persona:
            return {"guest",  "signed_in", "staff", "consumer", "server",
                    "system", "admin",     "actor", "workflow", "end_user"};
        case NameKind::integration:  // the connector proxy's own routes
            return {"mcp", "available"};
        case NameKind::other:
            return {};
    }
    return {};
}

bool is_reserved(NameKind kind, const std::string& name) {
    if (kind == NameKind::entity && (name.starts_with("svc_") || name.starts_with("pg_")))
        return true;
    const std::vector<std::string> names = reserved(kind);
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Fields that people declare who keep tables by hand.
std::string instead_of_reserved(NameKind kind, const std::string& name) {
    if (kind != NameKind::field && kind != NameKind::foreign_field) return "choose another name";
    if (name == "id" || name == "created_at" || name == "updated_at")
        return "remove it: every row has this field";
    if (name == "user_id" || name == "user")
        return "remove it: \"owner\": \"user\", the default, adds user_id; for another person "
               "choose another name and \"type\": \"user\"";
    if (name == "org_id") return "remove it: \"owner\": \"org\" adds org_id";
    return "choose another name";
}

std::string fold(const std::string& name) {
    std::string out = name;
    out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
    return out;
}

}  // namespace

bool NameTable::add(const contract::Text& name) {
    if (is_reserved(kind_, name.text)) {
        findings_.error("RESERVED_NAME", name.path, "The name \"" + name.text + "\" is reserved.",
                        instead_of_reserved(kind_, name.text));
        return false;
    }
    if (!folded_.insert(fold(name.text)).second) {
        const auto other =
            std::find_if(names_.begin(), names_.end(),
                         [&](const std::string& known) { return fold(known) == fold(name.text); });
        findings_.error("NAME_TAKEN", name.path,
                        *other == name.text
                            ? "The name \"" + name.text + "\" is already used."
                            : "\"" + name.text + "\" is too similar to \"" + *other + "\".",
                        "choose another name");
        return false;
    }
    names_.push_back(name.text);
    return true;
}

std::optional<std::size_t> find_field(const Entity& entity, const std::string& name) {
    for (std::size_t i = 0; i < entity.fields.size(); ++i) {
        if (entity.fields[i].name == name) return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> find_entity(const Model& model, const std::string& name) {
    for (std::size_t i = 0; i < model.entities.size(); ++i) {
        if (model.entities[i].name == name) return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> find_query(const Model& model, const std::string& name) {
    for (std::size_t i = 0; i < model.queries.size(); ++i) {
        if (model.queries[i].name == name) return i;
    }
    return std::nullopt;
}

std::vector<std::string> field_names(const Entity& entity) {
    std::vector<std::string> out;
    for (const Field& field : entity.fields) out.push_back(field.name);
    return out;
}

std::vector<std::string> entity_names(const Model& model) {
    std::vector<std::string> out;
    for (const Entity& entity : model.entities) out.push_back(entity.name);
    return out;
}

std::vector<std::string> persona_names(const Model& model) {
    std::vector<std::string> out;
    for (const Persona& persona : model.personas) out.push_back(persona.id);
    return out;
}

std::vector<std::string> builtin_columns(const Entity& entity) {
    std::vector<std::string> out;
    if (!entity.external) out = {"id", "created_at", "updated_at"};
    if (entity.owner.user) out.emplace_back("user_id");
    if (entity.owner.org) out.emplace_back("org_id");
    return out;
}

std::string without_id(const std::string& ref) {
    return ref.ends_with("_id") ? ref.substr(0, ref.size() - 3) : ref;
}

std::string words(const std::string& name) {
    std::string out = name;
    std::replace(out.begin(), out.end(), '_', ' ');
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
        out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                         std::string otherwise) {
    const std::string ref = name + "_id";  // as expressions call the row that it leads to
    const std::string near = contains(candidates, ref) ? ref : diag::nearest(name, candidates);
    return near.empty() ? otherwise : "did you mean \"" + near + "\"?";
}

}  // namespace svc::model
