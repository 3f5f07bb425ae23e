#include <algorithm>

#include "emit/openapi/openapi_schemas.hpp"

namespace svc::emit {

using plan::Plan;
using plan::ServedEntity;

Json object_of(Json properties, Json required) {
    Json out = {{"type", "object"}};
    if (!required.empty()) out["required"] = std::move(required);
    out["properties"] = std::move(properties);
    return out;
}

Json with_example(Json schema, Json example) {
    bool whole = true;
    for (const Json& name : schema.value("required", Json::array())) {
        whole = whole && example.contains(name.get<std::string>());
    }
    if (whole) schema["examples"] = Json::array({std::move(example)});
    return schema;
}

Json reference(const char* kind, const std::string& name) {
    return {{"$ref", std::string("#/components/") + kind + "/" + name}};
}

const ServedEntity& target_of(const Plan& plan, const plan::ServedLink& link) {
    return *std::find_if(plan.entities.begin(), plan.entities.end(),
                         [&](const ServedEntity& each) { return each.cpp_value == link.target; });
}

std::string query_id(const plan::Query& query) {
    std::string id = query.name;
    std::replace(id.begin(), id.end(), '/', '.');
    return id;
}

std::vector<std::string> principal_words(const Plan& plan, std::uint64_t bits) {
    std::vector<std::string> all = {"guest", "signed_in", "consumer", "staff", "server"};
    for (const plan::ServedPersona& persona : plan.personas) all.push_back(persona.id);
    for (const std::string& role : plan.org_roles) all.push_back("org:" + role);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if ((bits >> i & 1) != 0) out.push_back(all[i]);
    }
    return out;
}

}  // namespace svc::emit
