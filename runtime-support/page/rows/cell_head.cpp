#include "page/rows/cell_head.hpp"

#include <optional>

#include "page/value/value.hpp"

namespace svc::page {
namespace {

std::size_t tags_size(const Json* tags) {
    constexpr std::size_t kFrame = 2;  // of a tag, in characters
    std::size_t out = 0;
    if (!tags) return out;
    for (const Json& tag : tags->items) out += plain(&tag).size() + kFrame;
    return out;
}

// True for values that must not be broken at the end of a line: a date, a short name, an address.
bool stays_whole(const Visit& visit, const Entity& entity, std::size_t column, const Json& row) {
    constexpr std::size_t kShort = 26;
    const Json* value = row.find(entity.columns[column].name);
    switch (table_of(visit, entity).fields[column].kind) {
        case FieldKind::string:
        case FieldKind::text:
        case FieldKind::email:
        case FieldKind::url:
        case FieldKind::phone:
        case FieldKind::slug:
            return plain(value).size() <= kShort;
        case FieldKind::tags:
            return tags_size(value) <= kShort;
        default:
            return lead_words(visit, entity, column, row).size() <= kShort;
    }
}

// The class that all cells of a column have; none: each row's value decides.
std::optional<std::string_view> look_of_column(FieldKind kind, bool lead) {
    if (lead) return "lead";
    if (is_number(kind)) return "number";
    switch (kind) {
        case FieldKind::boolean:
        case FieldKind::date:
        case FieldKind::time:
        case FieldKind::datetime:
            return "short";
        case FieldKind::json:
            return "";
        default:
            return std::nullopt;
    }
}

}  // namespace

CellHead::CellHead(const Field& field, bool lead) {
    html_ << "<td";
    html_.attribute("data-label", field.label);
    const auto look = look_of_column(field.kind, lead);
    varies_ = !look;
    if (look && !look->empty()) html_.attribute("class", *look);
    if (look) html_ << ">";
}

void CellHead::write(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
                     const Json& row) const {
    out << html_;
    if (!varies_) return;
    if (stays_whole(visit, entity, column, row)) out << " class=\"short\"";
    out << ">";
}

}  // namespace svc::page
