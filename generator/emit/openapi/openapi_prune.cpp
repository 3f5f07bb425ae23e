#include "emit/openapi/openapi_prune.hpp"

#include <set>
#include <string>

namespace svc::emit {
namespace {

void references(const Json& value, std::set<std::string>& out) {
    if (value.is_object() && value.contains("$ref")) out.insert(value["$ref"].get<std::string>());
    if (!value.is_structured()) return;
    for (const Json& member : value) references(member, out);
}

// "#/components/schemas/product/properties/id" -> "#/components/schemas/product"
std::string component_of(const std::string& pointer) {
    const auto kind = pointer.find('/', std::string("#/components/").size());
    return pointer.substr(0, pointer.find('/', kind + 1));
}

}  // namespace

void prune(Json& document) {
    std::set<std::string> kept, next;
    references(document["paths"], next);
    while (!next.empty()) {
        std::set<std::string> found;
        for (const std::string& pointer : next) {
            const std::string component = component_of(pointer);
            if (!kept.insert(component).second) continue;
            references(document.at(Json::json_pointer(component.substr(1))), found);
        }
        next = std::move(found);
    }
    for (const char* kind : {"parameters", "responses", "schemas"}) {
        Json& all = document["components"][kind];
        Json used = Json::object();
        for (const auto& [name, component] : all.items()) {
            const std::string pointer = std::string("#/components/") + kind + "/" + name;
            if (kept.contains(pointer)) used[name] = component;
        }
        all = std::move(used);
    }
}

}  // namespace svc::emit
