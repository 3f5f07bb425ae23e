#include "emit/json_page.hpp"

namespace svc::emit {
namespace {

constexpr std::size_t kWidth = 120;
constexpr std::size_t kStep = 2;

// On one line: {"a": 1, "b": [2, 3]}.
void put_line(const Json& value, std::string& out) {
    if (!value.is_structured()) {
        out += value.dump();
        return;
    }
    out += value.is_object() ? '{' : '[';
    const char* between = "";
    for (const auto& [key, member] : value.items()) {
        out += between;
        between = ", ";
        if (value.is_object()) out += Json(key).dump() + ": ";
        put_line(member, out);
    }
    out += value.is_object() ? '}' : ']';
}

// `column`: where the text begins in its line.
void put(const Json& value, std::size_t indent, std::size_t column, std::string& out) {
    std::string line;
    put_line(value, line);
    if (!value.is_structured() || column + line.size() < kWidth) {
        out += line;
        return;
    }
    out += value.is_object() ? "{\n" : "[\n";
    const std::string margin(indent + kStep, ' ');
    std::size_t left = value.size();
    for (const auto& [key, member] : value.items()) {
        const std::string name = value.is_object() ? Json(key).dump() + ": " : "";
        out += margin + name;
        put(member, margin.size(), margin.size() + name.size(), out);
        out += --left == 0 ? "\n" : ",\n";
    }
    out += std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string json_page(const Json& value) {
    std::string out;
    put(value, 0, 0, out);
    return out + "\n";
}

std::string json_escaped(const std::string& text) {
    const std::string quoted = Json(text).dump();
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace svc::emit
