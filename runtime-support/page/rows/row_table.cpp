// Rows in a table.
#include <algorithm>

#include "page/html/icons.hpp"
#include "page/rows/cell_head.hpp"
#include "page/rows/row_shapes.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

void write_head_cell(Html& out, const Visit& visit, std::size_t number, const RowsQuery& query,
                     const Entity& entity, std::size_t column) {
    const Field& field = table_of(visit, entity).fields[column];
    const std::string_view name = entity.columns[column].name;
    out << "<th scope=\"col\"";
    if (is_number(field.kind)) out << " class=\"number\"";
    const bool sorted = query.sort == name;
    if (sorted && query.descending)
        out << " aria-sort=\"descending\"";
    else if (sorted)
        out << " aria-sort=\"ascending\"";
    out << ">";
    if (!sortable(field.kind)) {
        out << field.label << "</th>";
        return;
    }
    const bool turn = sorted && !query.descending;
    out << "<a";
    out.href(visit.with(number, "sort", (turn ? "-" : "") + std::string(name)))
        << ">" << field.label;
    if (sorted) out.markup(icon(query.descending ? "arrow-down" : "arrow-up"));
    out << "</a></th>";
}

// Tells a row from others better than a number or a day does.
bool is_word(const Field& field) {
    const bool day = field.kind == FieldKind::date || field.kind == FieldKind::datetime ||
                     field.kind == FieldKind::time;
    return !field.made && !day && field.kind != FieldKind::ref && !is_number(field.kind) &&
           field.kind != FieldKind::boolean && field.kind != FieldKind::enumeration;
}

}  // namespace

std::string lead_words(const Visit& visit, const Entity& entity, std::size_t column,
                       const Json& row) {
    const Field& field = table_of(visit, entity).fields[column];
    if (field.kind == FieldKind::ref && field.target) {
        const Json* referred = row.find(ref_member(column));
        if (referred && referred->is(Json::Kind::object))
            return shortened(name_of(visit, table_of(visit, *field.target), *referred),
                             kLongestName);
        return std::string(table_of(visit, entity).singular);
    }
    const Json* value = row.find(entity.columns[column].name);
    if (plain(value).empty()) return std::string(table_of(visit, entity).singular);
    return shortened(value_words(visit, entity, column, value), kLongestName);
}

std::string link_of(const Visit& visit, const Block& block, const Json& row) {
    if (!block.link.empty()) return filled(visit, block.link, &row, Fill::address);
    const std::string& id = plain(row.find("id"));
    const std::string_view route = block.entity ? row_route(visit, *block.entity) : "";
    return route.empty() || id.empty() ? std::string() : row_address(route, id);
}

std::size_t lead_column(const Visit& visit, const Entity& entity,
                        const std::vector<std::size_t>& shown) {
    for (const std::string_view name : name_columns(visit, table_of(visit, entity)))
        for (const std::size_t column : shown)
            if (entity.columns[column].name == name) return column;
    const List<Field>& fields = table_of(visit, entity).fields;
    for (const std::size_t column : shown)
        if (is_word(fields[column])) return column;
    for (const std::size_t column : shown)
        if (fields[column].kind == FieldKind::ref) return column;
    return shown.empty() ? 0 : shown.front();
}

void write_table(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query, const std::vector<Json>& rows) {
    const Entity& entity = *block.entity;
    const std::size_t lead = lead_column(visit, entity, query.shown);
    std::vector<CellHead> cells;
    for (const std::size_t column : query.shown)
        cells.emplace_back(table_of(visit, entity).fields[column], column == lead);
    out << "<div class=\"table\"><table><thead><tr>";
    for (const std::size_t column : query.shown)
        write_head_cell(out, visit, number, query, entity, column);
    out << "</tr></thead><tbody>";
    const std::size_t begin = out.str().size();
    for (const Json& row : rows) {
        if (&row == &rows.front() + 1) out.expect((out.str().size() - begin) * rows.size());
        const std::string link = link_of(visit, block, row);
        out << "<tr>";
        for (std::size_t i = 0; i < query.shown.size(); ++i) {
            const std::size_t column = query.shown[i];
            cells[i].write(out, visit, entity, column, row);
            if (column == lead && !link.empty()) {
                out << "<a class=\"row-link\"";
                out.href(link) << ">" << lead_words(visit, entity, column, row) << "</a>";
            } else {
                show_value(out, visit, entity, column, row);
            }
            out << "</td>";
        }
        out << "</tr>";
    }
    out << "</tbody></table></div>";
}

void write_query_table(Html& out, const Visit& visit, const Block& block, const Answer& answer) {
    std::vector<std::string> names;
    for (const std::string_view name : block.fields) names.emplace_back(name);
    const Json* fields = answer.body.find("fields");
    if (names.empty() && fields)
        for (const Json& field : fields->items) names.push_back(field.text_of("name"));
    out << "<div class=\"table\"><table><thead><tr>";
    for (const std::string& name : names) out << "<th scope=\"col\">" << in_words(name) << "</th>";
    out << "</tr></thead><tbody>";
    for (const Json& row : answer.rows()) {
        const std::string link =
            block.link.empty() ? std::string() : filled(visit, block.link, &row, Fill::address);
        out << "<tr>";
        for (std::size_t i = 0; i < names.size(); ++i) {
            const Json* value = row.find(names[i]);
            out << "<td";
            out.attribute("data-label", in_words(names[i]));
            if (i == 0)
                out << " class=\"lead\"";
            else if (value && value->is(Json::Kind::number))
                out << " class=\"number\"";
            out << ">";
            if (i == 0 && !link.empty()) {
                out << "<a class=\"row-link\"";
                out.href(link) << ">";
                show_plain(out, value);
                out << "</a>";
            } else {
                show_plain(out, value);
            }
            out << "</td>";
        }
        out << "</tr>";
    }
    out << "</tbody></table></div>";
}

}  // namespace svc::page
