#include "connector/tool/tool_headers.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/crypto.hpp"

namespace svc::connector {
namespace {

using json::Value;
using Kind = Value::Kind;

constexpr std::string_view kMark = "x-mcp-header";
constexpr std::size_t kMostMarks = 64;  // of one tool; each is compared with all others

bool is_token(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return base::is_alphanumeric(c) ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

std::size_t marks_in(const Value& value) {
    std::size_t count = 0;
    for (const Value& item : value.items) count += marks_in(item);
    for (const Value::Member& member : value.members)
        count += (member.name == kMark ? 1 : 0) + marks_in(member.value);
    return count;
}

bool collect(const Value& schema, std::vector<std::string>& place, ToolHeaders& out) {
    const Value* properties = schema.find("properties");
    if (!properties) return true;
    for (const auto& [name, property] : properties->members) {
        place.push_back(name);
        if (const Value* mark = property.find(kMark)) {
            const std::string type = property.text_of("type");
            const bool plain = type == "string" || type == "integer" || type == "boolean";
            const bool twice = std::ranges::any_of(
                out, [mark](const auto& other) { return base::iequals(other.second, mark->text); });
            if (!mark->is(Kind::string) || !is_token(mark->text) || !plain || twice ||
                out.size() == kMostMarks)
                return false;
            out.emplace_back(place, mark->text);
        }
        if (!collect(property, place, out)) return false;
        place.pop_back();
    }
    return true;
}

std::string encoded(const std::string& text) {
    const bool visible = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127; });
    const bool marked = text.starts_with("=?base64?") && text.ends_with("?=");
    const bool padded = text.empty() || text.front() == ' ' || text.back() == ' ';
    return visible && !marked && !padded ? text : "=?base64?" + base::base64(text) + "?=";
}

}  // namespace

bool read_headers(const Value& schema, ToolHeaders& out) {
    std::vector<std::string> place;
    return collect(schema, place, out) && marks_in(schema) == out.size();
}

std::vector<std::pair<std::string, std::string>> mirrored_headers(const std::string& tool,
                                                                  const ToolHeaders& headers,
                                                                  const Value& arguments) {
    std::vector<std::pair<std::string, std::string>> out = {{"Mcp-Name", encoded(tool)}};
    for (const auto& [place, name] : headers) {
        const Value* value = &arguments;
        for (const std::string& step : place) value = value ? value->find(step) : nullptr;
        if (!value || value->is(Kind::null)) continue;
        out.emplace_back("Mcp-Param-" + name, encoded(value->text));
    }
    return out;
}

}  // namespace svc::connector
