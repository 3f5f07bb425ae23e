#include "contract/shape/shape_keep.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace svc::contract {

using Kind = Value::Kind;

bool ShapeKeeper::says_its_name(const Value& item) {
    return std::any_of(item.members.begin(), item.members.end(), [](const Member& member) {
        const bool names = member.name == "name" || member.name == "id" || member.name == "_key";
        return names && member.value.is(Kind::string);
    });
}

// A whole list of things that have names, as something else.
bool ShapeKeeper::holds_names(const Member& member) {
    static constexpr std::string_view kLists[] = {"personas",   "entities",  "fields",
                                                  "queries",    "functions", "workflows",
                                                  "components", "relations", "states"};
    const bool list = member.value.is(Kind::array) || member.value.is(Kind::object);
    return !list &&
           std::find(std::begin(kLists), std::end(kLists), member.name) != std::end(kLists);
}

void ShapeKeeper::doubt(const Value& value) {
    findings_.doubt(value.path);
    if (value.is(Kind::string)) findings_.doubt(value.text);
    for (const Value& item : value.items) doubt(item);
    for (const Member& member : value.members) {
        findings_.doubt(member.name);
        doubt(member.value);
    }
}

}  // namespace svc::contract
