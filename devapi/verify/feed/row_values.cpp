#include "verify/feed/row_values.hpp"

#include <algorithm>

#include "common/json_slice.hpp"
#include "plan/names.hpp"

namespace svc::devapi::verification {

RowValues::RowValues(CloneConnection& db, const model::Entity& entity)
    : db_(db), entity_(entity), table_(plan::table(entity.name)) {}

std::vector<std::string> RowValues::columns_of(const VerifyCaller& caller) const {
    std::vector<std::string> out = {"id", "created_at", "updated_at"};
    if (entity_.owner.user) out.emplace_back("user_id");
    if (entity_.owner.org) out.emplace_back("org_id");
    for (const model::Field& field : entity_.fields)
        if (caller.reads(field)) out.push_back(field.name);
    return out;
}

std::string RowValues::wrong(const VerifyCaller& caller, std::string_view sent,
                             const std::string& should) {
    const std::vector<std::string> columns = columns_of(caller);
    const auto members = json_members(sent);
    const auto is_shown = [&](const std::string& name) {
        return std::ranges::any_of(members, [&](auto& one) { return one.first == name; });
    };
    for (const std::string& name : columns)
        if (!is_shown(name)) return "no field " + name;
    for (const auto& [name, value] : members)
        if (std::ranges::find(columns, name) == columns.end()) return "the field " + name;
    const std::string column = different(std::string(sent), should, columns);
    return column.empty() ? column : "another " + column + " than the row had";
}

bool RowValues::differ(const VerifyCaller& caller, const std::string& one,
                       const std::string& other) {
    return !different(one, other, columns_of(caller)).empty();
}

std::string RowValues::different(const std::string& one, const std::string& other,
                                 const std::vector<std::string>& columns) {
    const std::string names = text_array(columns);
    const auto [at, fresh] = known_.try_emplace({one, other, names});
    if (!fresh) return at->second;
    const auto as_row = [this](const std::string& row) {
        return "to_jsonb(jsonb_populate_record(null::" + table_ + ", " + db_.quote(row) +
               "::jsonb))";
    };
    return at->second = db_.text("select min(c.name) from unnest(" + names + ") c (name) where " +
                                 as_row(one) + " -> c.name is distinct from " + as_row(other) +
                                 " -> c.name");
}

}  // namespace svc::devapi::verification
