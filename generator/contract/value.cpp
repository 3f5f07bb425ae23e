#include "contract/value.hpp"

#include "base/json_pointer.hpp"

namespace svc::contract {

const Value* Value::find(std::string_view name) const {
    for (const Member& member : members) {
        if (member.name == name) return &member.value;
    }
    return nullptr;
}

std::string json_text(const Value& value) {
    std::string out;
    switch (value.kind) {
        case Value::Kind::null:
            return "null";
        case Value::Kind::boolean:
        case Value::Kind::number:
            return value.text;
        case Value::Kind::string:
            return json_string(value.text);
        case Value::Kind::array:
            for (const Value& item : value.items) out += (out.empty() ? "" : ",") + json_text(item);
            return "[" + out + "]";
        case Value::Kind::object:
            for (const Member& member : value.members) {
                out += (out.empty() ? "" : ",") + json_string(member.name) + ":" +
                       json_text(member.value);
            }
            return "{" + out + "}";
    }
    return out;
}

std::string child(const std::string& path, std::string_view name) {
    return path + "/" + base::pointer_part(name);
}

std::string child(const std::string& path, std::size_t index) {
    return path + "/" + std::to_string(index);
}

}  // namespace svc::contract
