// Writes the tools above rows: the search box, the filters, "New order".
#include <algorithm>

#include "page/html/icons.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

void keep_members(Html& out, const Visit& visit, std::size_t number) {
    const std::string own = member_name(number, "");
    for (const auto& [name, value] : visit.query.all()) {
        const bool replaced = name == own + "q" || name == own + "cursor" || name == own + "sort" ||
                              name.starts_with(own + "f.") || name == "done";
        if (replaced) continue;
        out << "<input type=\"hidden\"";
        out.attribute("name", name).attribute("value", value) << ">";
    }
}

void write_choice(Html& out, const Visit& visit, std::size_t number, const Entity& entity,
                  std::size_t column, const RowsQuery& query) {
    const Field& field = table_of(visit, entity).fields[column];
    const std::string name = member_name(number, filter_name(entity, column));
    const auto chosen =
        std::ranges::find(query.choices, column, &std::pair<std::size_t, std::string>::first);
    const std::string value = chosen == query.choices.end() ? std::string() : chosen->second;
    const auto option = [&](std::string_view of, std::string_view label) {
        out << "<option";
        out.attribute("value", of);
        if (of == value) out << " selected";
        out << ">" << label << "</option>";
    };
    out << "<label class=\"filter\"><span>" << field.label << "</span><select";
    out.attribute("name", name) << ">";
    option("", "All");
    if (field.kind == FieldKind::boolean) {
        option("true", "Yes");
        option("false", "No");
    }
    for (const Choice& choice : field.choices) option(choice.value, choice.label);
    out << "</select></label>";
}

// How people say the two directions of an order.
std::pair<std::string_view, std::string_view> order_words(FieldKind kind) {
    if (kind == FieldKind::date || kind == FieldKind::datetime)
        return {"oldest first", "newest first"};
    if (kind == FieldKind::boolean) return {"no first", "yes first"};
    if (is_number(kind)) return {"lowest first", "highest first"};
    if (kind == FieldKind::enumeration || kind == FieldKind::time)
        return {"first to last", "last to first"};
    return {"A to Z", "Z to A"};
}

// The order that the page itself has is chosen by leaving it out.
void write_order_option(Html& out, const Block& block, const RowsQuery& query,
                        std::string_view column, std::string_view label, bool descending) {
    const bool own = block.sort == column && block.descending == descending;
    out << "<option";
    out.attribute("value", own ? "" : (descending ? "-" : "") + std::string(column));
    if (query.sort == column && query.descending == descending) out << " selected";
    out << ">" << label << ", ";
}

}  // namespace

void write_order(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query) {
    const Entity& entity = *block.entity;
    out << "<label class=\"filter order\"><span>Order</span><select";
    out.attribute("name", member_name(number, "sort")) << ">";
    if (query.sort.empty()) out << "<option value=\"\" selected>As it comes</option>";
    for (const std::size_t column : query.shown) {
        const Field& field = table_of(visit, entity).fields[column];
        if (!sortable(field.kind)) continue;
        const auto [up, down] = order_words(field.kind);
        for (const bool descending : {false, true}) {
            write_order_option(out, block, query, entity.columns[column].name, field.label,
                               descending);
            out << (descending ? down : up) << "</option>";
        }
    }
    out << "</select></label>";
}

void write_order_alone(Html& out, const Visit& visit, const Block& block, std::size_t number,
                       const RowsQuery& query) {
    out << "<form class=\"tools order\" method=\"get\">";
    keep_members(out, visit, number);
    write_order(out, visit, block, number, query);
    out << "<button class=\"button quiet\">Sort</button></form>";
}

void write_tools(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query) {
    const Entity& entity = *block.entity;
    std::vector<std::size_t> filters;
    for (std::size_t i = 0; i < entity.columns.size(); ++i)
        if (may_see(visit, entity, i) && is_filter(table_of(visit, entity).fields[i]))
            filters.push_back(i);
    const bool searches = !searched_columns(visit, entity).empty();
    if (!searches && filters.empty()) return write_order_alone(out, visit, block, number, query);
    out << "<form class=\"tools\" method=\"get\" role=\"search\">";
    keep_members(out, visit, number);
    if (searches) {
        out << "<label class=\"search-box\"><span class=\"hidden\">Search</span>";
        out.markup(icon("search")) << "<input type=\"search\" placeholder=\"Search\"";
        out.attribute("name", member_name(number, "q")).attribute("value", query.words) << ">";
        out << "</label>";
    }
    for (const std::size_t column : filters)
        write_choice(out, visit, number, entity, column, query);
    write_order(out, visit, block, number, query);
    out << "<button class=\"button quiet\">Show</button>";
    if (query.narrowed()) {
        out << "<a class=\"clear\"";
        out.href(visit.place()) << ">Clear</a>";
    }
    out << "</form>";
}

Html create_button(const Visit& visit, const Entity& entity, const Block& block,
                   std::string_view look) {
    Html out;
    const Table& table = table_of(visit, entity);
    std::string address(new_route(visit, entity));
    if (address.empty() || !entity.access.creates(visit.caller.principals)) return out;
    if (!block.parent.empty()) {
        Members given;
        for (const auto& [name, value] : visit.params) given.set(block.parent, value);
        if (!visit.params.empty()) address += "?" + given.encoded();
    }
    out << "<a class=\"button " << look << "\"";
    out.href(address) << ">";
    out.markup(icon("plus")) << "New " << lower_first(table.singular) << "</a>";
    return out;
}

}  // namespace svc::page
