#include "sql/descent.hpp"

#include "sql/tree.hpp"

namespace svc::sql {

using Json = nlohmann::json;

void Descent::each(const std::string& key, const Json& value) {
    if (value.is_array()) {
        for (const Json& item : value) each(key, item);
    } else if (is_node(value)) {
        node(value.begin().key(), value.begin().value());
    } else if (value.is_object() && !value.empty()) {
        node(kind_of(key), value);
    }
}

void Descent::members(const Json& value) {
    for (const auto& [key, child] : value.items())
        if (child.is_structured()) each(key, child);
}

// The tree is bounded (parse_sql), so this may recurse.
void Descent::node(const std::string& kind, const Json& value) {
    const std::size_t outer = at_;
    const Json& place = member(value, "location");
    if (place.is_number() && place.get<int>() >= 0) at_ = place.get<std::size_t>();
    visit(kind, value);
    at_ = outer;
}

}  // namespace svc::sql
