#include "emit/json_page.hpp"

#include "base/json_text.hpp"

namespace svc::emit {
namespace {

constexpr std::size_t kWidth = 120;
constexpr std::size_t kStep = 2;

void put_name(const std::string& key, std::string& out) { out += Json(key).dump() + ": "; }

bool put_line(const Json& value, std::size_t room, std::string& out);

bool put_members(const Json& value, std::size_t room, std::string& out) {
    const char* between = "";
    for (auto member = value.begin(); member != value.end(); ++member) {
        out += between;
        between = ", ";
        if (value.is_object()) put_name(member.key(), out);
        if (!put_line(*member, room, out)) return false;
    }
    return true;
}

// On one line: {"a": 1, "b": [2, 3]}. Returns false as soon as `out` is longer than `room`, so that
// a document is not printed again for each of its levels.
bool put_line(const Json& value, std::size_t room, std::string& out) {
    if (!value.is_structured()) {
        out += value.dump();
        return out.size() < room;
    }
    out += value.is_object() ? '{' : '[';
    if (!put_members(value, room, out)) return false;
    out += value.is_object() ? '}' : ']';
    return out.size() < room;
}

// `column`: where the text begins in its line.
void put(const Json& value, std::size_t indent, std::size_t column, std::string& out) {
    if (!value.is_structured()) {
        out += value.dump();
        return;
    }
    std::string line;
    if (column < kWidth && put_line(value, kWidth - column, line)) {
        out += line;
        return;
    }
    out += value.is_object() ? "{\n" : "[\n";
    const std::string margin(indent + kStep, ' ');
    std::size_t left = value.size();
    for (auto member = value.begin(); member != value.end(); ++member) {
        std::string name;
        if (value.is_object()) put_name(member.key(), name);
        out += margin + name;
        put(*member, margin.size(), margin.size() + name.size(), out);
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
    const std::string quoted = base::json_string(text);
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace svc::emit
