// Writes the tools above rows: the search box, the filters, "New order".
#include <algorithm>

#include "page/html/icons.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

void keep_members(Html& out, const Visit& visit, std::size_t number) {
    const std::string own = member_name(number, "");
    for (const auto& [name, value] : visit.query.all()) {
        const bool replaced = name == own + "q" || name == own + "cursor" ||
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

}  // namespace

void write_tools(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query) {
    const Entity& entity = *block.entity;
    std::vector<std::size_t> filters;
    for (std::size_t i = 0; i < entity.columns.size(); ++i)
        if (may_see(visit, entity, i) && is_filter(table_of(visit, entity).fields[i]))
            filters.push_back(i);
    const bool searches = !searched_columns(visit, entity).empty();
    if (!searches && filters.empty()) return;
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
    if (table.new_route.empty() || !entity.access.creates(visit.caller.principals)) return out;
    std::string address(table.new_route);
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
