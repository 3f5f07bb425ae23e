#include "versions/json_parts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_pointer.hpp"
#include "common/json_slice.hpp"

namespace svc::devapi::versions {
namespace {

// Merging writes the list anew for each element that comes or goes.
constexpr std::size_t kMostNamed = 5000;

std::string decoded_text(std::string_view value) {
    return nlohmann::json::parse(value).get<std::string>();
}

bool same_members(std::string_view a, std::string_view b) {
    auto left = json_members(a), right = json_members(b);
    if (left.size() != right.size()) return false;
    std::ranges::sort(left, {}, &JsonMember::first);
    std::ranges::sort(right, {}, &JsonMember::first);
    return std::ranges::equal(left, right, [](const JsonMember& x, const JsonMember& y) {
        return x.first == y.first && same_json(x.second, y.second);
    });
}

bool same_elements(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        json_elements(a), json_elements(b),
        [](std::string_view x, std::string_view y) { return same_json(x, y); });
}

// The names of a list's elements; none if one has no such name, or two have the same.
bool all_named(std::string_view list, const char* member) {
    std::set<std::string> seen;
    const auto elements = json_elements(list);
    if (elements.size() > kMostNamed) return false;
    for (const std::string_view value : elements) {
        const auto name = value.starts_with('{') ? json_member(value, member) : std::nullopt;
        if (!name || !name->starts_with('"') || !seen.insert(decoded_text(*name)).second)
            return false;
    }
    return true;
}

}  // namespace

bool same_json(Text a, Text b) {
    if (!a || !b) return !a && !b;
    if (*a == *b) return true;
    if (a->front() != b->front()) return false;
    if (a->front() == '{') return same_members(*a, *b);
    if (a->front() == '[') return same_elements(*a, *b);
    return a->front() == '"' && decoded_text(*a) == decoded_text(*b);
}

std::optional<std::string> naming_member(std::initializer_list<Text> lists) {
    for (const char* member : {"name", "id", "route", "_key"}) {
        const bool fits = std::ranges::all_of(lists, [member](const Text& list) {
            return !list || (list->starts_with('[') && all_named(*list, member));
        });
        if (fits) return member;
    }
    return std::nullopt;
}

NamedElements::NamedElements(Text list, const std::string& member) {
    if (!list) return;
    for (const std::string_view value : json_elements(*list)) {
        all_.push_back({decoded_text(*json_member(value, member)), value});
        by_name_.emplace(all_.back().name, value);
    }
}

Text NamedElements::find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? Text() : Text(found->second);
}

std::string below(const std::string& path, std::string_view name) {
    return path + "/" + base::pointer_part(name);
}

}  // namespace svc::devapi::versions
