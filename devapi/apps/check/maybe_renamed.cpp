#include "apps/check/maybe_renamed.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"

namespace svc::devapi {
namespace {

using nlohmann::json;

std::string member(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

json list(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_array() ? *at : json::array();
}

const json* named(const json& list, const std::string& name) {
    for (const json& one : list)
        if (member(one, "name") == name) return &one;
    return nullptr;
}

// Values of computed fields are made again; those of a ref fit the same entity alone.
bool holds_the_same(const json& one, const json& other) {
    return !one.contains("computed") && !other.contains("computed") &&
           member(one, "type") == member(other, "type") && member(one, "to") == member(other, "to");
}

bool is_taken_over(const json& fields, const std::string& name) {
    for (const json& field : fields)
        if (member(field, "name") == name || member(field, "renamedFrom") == name) return true;
    return false;
}

// The field that is gone whose values `field` could have; empty if there is none.
std::string former_name(const json& field, const json& before, const json& now) {
    std::vector<std::string> gone;
    for (const json& old : before) {
        const std::string name = member(old, "name");
        if (holds_the_same(old, field) && !is_taken_over(now, name)) gone.push_back(name);
    }
    if (gone.empty()) return {};
    const std::string_view near = base::nearest(member(field, "name"), gone);
    return near.empty() ? gone.front() : std::string(near);
}

// Every field of the one is a field of the other.
bool has_the_fields_of(const json& one, const json& other) {
    const json fields = list(one, "fields"), others = list(other, "fields");
    return !fields.empty() && fields.size() == others.size() &&
           std::ranges::all_of(fields, [&](const json& field) {
               const json* same = named(others, member(field, "name"));
               return same && member(*same, "type") == member(field, "type") &&
                      member(*same, "to") == member(field, "to");
           });
}

// The entity that is gone and whose rows `entity` could have; empty if there is none.
std::string former_entity(const json& entity, const json& before, const json& now) {
    for (const json& old : before) {
        std::string name = member(old, "name");
        if (!old.contains("external") && !is_taken_over(now, name) &&
            has_the_fields_of(old, entity))
            return name;
    }
    return {};
}

void suggest_entity(const json& entity, const std::string& path, const json& before,
                    const json& now, diag::Findings& findings) {
    const std::string former = former_entity(entity, before, now);
    if (former.empty()) return;
    findings.warning("MAYBE_RENAMED", path + "/name",
                     "The entity \"" + member(entity, "name") + "\" is new, and \"" + former +
                         "\" with the same fields is gone. The new entity has no rows; those of "
                         "\"" +
                         former + "\" stay in the database, where the app does not see them.",
                     "if the entity has only another name, write \"renamedFrom\": \"" + former +
                         "\"; else ignore this");
}

void suggest(const std::string& entity, const std::string& path, const json& before,
             const json& now, diag::Findings& findings) {
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::string name = member(now[i], "name");
        if (named(before, name) || now[i].contains("renamedFrom")) continue;
        const std::string former = former_name(now[i], before, now);
        if (former.empty()) continue;
        findings.warning("MAYBE_RENAMED", path + "/fields/" + std::to_string(i) + "/name",
                         "\"" + name + "\" is new in " + entity + ", and \"" + former +
                             "\" of the same type is gone. The new field has no values; those of "
                             "\"" +
                             former + "\" stay in the database, where the app does not see them.",
                         "if the field has only another name, write \"renamedFrom\": \"" + former +
                             "\"; else ignore this");
    }
}

}  // namespace

void suggest_renames(const std::optional<std::string>& live, const std::string& contract,
                     diag::Findings& findings) {
    if (!live) return;
    const json older = json::parse(*live, nullptr, false);
    const json newer = json::parse(contract, nullptr, false);
    if (!older.is_object() || !newer.is_object()) return;
    const json before = list(older, "entities"), now = list(newer, "entities");
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].contains("external")) continue;
        const std::string name = member(now[i], "name"), path = "/entities/" + std::to_string(i);
        const json* same = named(before, name);
        if (!same) same = named(before, member(now[i], "renamedFrom"));
        if (same) {
            suggest(name, path, list(*same, "fields"), list(now[i], "fields"), findings);
        } else {
            suggest_entity(now[i], path, before, now, findings);
        }
    }
}

}  // namespace svc::devapi
