// Blocks list, table and grid: rows with links, order, filters and pages, all as addresses.
#include <algorithm>

#include "base/json_text.hpp"
#include "page/block.hpp"
#include "page/file.hpp"
#include "page/icons.hpp"
#include "page/rows_query.hpp"
#include "page/value.hpp"

namespace svc::page {
namespace {

std::string link_of(const Visit& visit, const Block& block, const Json& row) {
    if (!block.link.empty()) return filled(visit, block.link, &row, Fill::address);
    const std::string id = plain(row.find("id"));
    const std::string_view route = block.entity ? row_route(visit, *block.entity) : "";
    return route.empty() || id.empty() ? std::string() : row_address(route, id);
}

// The column that stands for the row: where its link is.
std::size_t lead_column(const Visit& visit, const Entity& entity,
                        const std::vector<std::size_t>& shown) {
    for (const std::string_view name : name_columns(visit, table_of(visit, entity)))
        for (const std::size_t column : shown)
            if (entity.columns[column].name == name) return column;
    for (const std::size_t column : shown)
        if (const FieldKind kind = table_of(visit, entity).fields[column].kind;
            kind != FieldKind::ref && !is_number(kind))
            return column;
    return shown.empty() ? 0 : shown.front();
}

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

void write_table(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query, const std::vector<Json>& rows) {
    const Entity& entity = *block.entity;
    const std::size_t lead = lead_column(visit, entity, query.shown);
    out << "<div class=\"table\"><table><thead><tr>";
    for (const std::size_t column : query.shown)
        write_head_cell(out, visit, number, query, entity, column);
    out << "</tr></thead><tbody>";
    for (const Json& row : rows) {
        const std::string link = link_of(visit, block, row);
        out << "<tr>";
        for (const std::size_t column : query.shown) {
            const Field& field = table_of(visit, entity).fields[column];
            out << "<td";
            out.attribute("data-label", field.label);
            if (column == lead)
                out << " class=\"lead\"";
            else if (is_number(field.kind))
                out << " class=\"number\"";
            out << ">";
            if (column == lead && !link.empty()) {
                Html inner;
                inner << "<a class=\"row-link\"";
                inner.href(link) << ">" << lead_words(visit, entity, column, row) << "</a>";
                out << inner;
            } else {
                show_value(out, visit, entity, column, row);
            }
            out << "</td>";
        }
        out << "</tr>";
    }
    out << "</tbody></table></div>";
}

void write_facts(Html& out, const Visit& visit, const Entity& entity, std::size_t lead,
                 const std::vector<std::size_t>& shown, const Json& row) {
    out << "<dl class=\"facts\">";
    for (const std::size_t column : shown) {
        if (column == lead) continue;
        out << "<div><dt>" << table_of(visit, entity).fields[column].label << "</dt><dd>";
        show_value(out, visit, entity, column, row);
        out << "</dd></div>";
    }
    out << "</dl>";
}

// Of a field with a file, or with an address.
std::string picture_of(const Visit& visit, const Entity& entity, std::string_view name,
                       const Json& row) {
    const int column = readable(visit, entity, name);
    const bool is_file =
        column >= 0 &&
        table_of(visit, entity).fields[static_cast<std::size_t>(column)].kind == FieldKind::file;
    return is_file ? file_address(visit, name, row) : plain(row.find(name));
}

void write_card(Html& out, const Visit& visit, const Block& block, const RowsQuery& query,
                const Json& row) {
    const Entity& entity = *block.entity;
    const std::size_t lead = lead_column(visit, entity, query.shown);
    const std::string link = link_of(visit, block, row);
    const std::string name = query.shown.empty() ? name_of(visit, table_of(visit, entity), row)
                                                 : lead_words(visit, entity, lead, row);
    out << "<li class=\"card\">";
    if (!block.image.empty()) {
        const std::string image = picture_of(visit, entity, block.image, row);
        // Pictures of other hosts are not fetched: a page shows what is the app's own.
        if (is_local(image)) out << "<img alt=\"\" loading=\"lazy\" src=\"" << image << "\">";
    }
    out << "<h3>";
    if (link.empty()) {
        out << shortened(name, kLongestName);
    } else {
        out << "<a class=\"row-link\"";
        out.href(link) << ">" << shortened(name, kLongestName) << "</a>";
    }
    out << "</h3>";
    write_facts(out, visit, entity, lead, query.shown, row);
    out << "</li>";
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

void write_empty(Html& out, const Visit& visit, const Block& block, bool narrowed,
                 std::size_t number) {
    out << "<div class=\"empty\">";
    out.markup(icon(narrowed ? "search" : "inbox"));
    if (narrowed) {
        out << "<p>Nothing fits what you asked for.</p><a class=\"button quiet\"";
        out.href(visit.place() + "#b" + std::to_string(number + 1)) << ">Show everything</a></div>";
        return;
    }
    if (!block.empty.empty())
        out << "<p>" << block.empty << "</p>";
    else if (block.entity)
        out << "<p>No " << lower_first(table_of(visit, *block.entity).plural) << " yet.</p>";
    else
        out << "<p>No rows.</p>";
    if (block.entity) out << create_button(visit, *block.entity, block, "primary");
    out << "</div>";
}

void write_pager(Html& out, const Visit& visit, std::size_t number, const Answer& answer) {
    const std::string next = answer.body.text_of("nextCursor");
    const bool later = !visit.asked(number, "cursor").empty();
    if (next.empty() && !later) return;
    const std::string anchor = "#b" + std::to_string(number + 1);
    out << "<nav class=\"pager\" aria-label=\"Pages\">";
    if (later) {
        out << "<a class=\"button quiet\"";
        out.href(visit.with(number, "cursor", "") + anchor) << ">First page</a>";
    }
    if (!next.empty()) {
        out << "<a class=\"button quiet\" rel=\"next\"";
        out.href(visit.with(number, "cursor", next) + anchor) << ">Next page</a>";
    }
    out << "</nav>";
}

Task<> write_query_rows(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const Answer answer = co_await run_query(visit, block);
    open_block(out, "rows", block.title, number, Html());
    if (!answer.ok())
        write_failure(answer, out);
    else if (answer.rows().empty())
        write_empty(out, visit, block, false, number);
    else
        write_query_table(out, visit, block, answer);
    close_block(out);
}

}  // namespace

Task<> write_rows(Visit& visit, const Block& block, std::size_t number, Html& out) {
    if (!block.entity) {
        co_await write_query_rows(visit, block, number, out);
        co_return;
    }
    if (!block.entity->access.reads(visit.caller.principals)) co_return;
    RowsQuery query = read_rows_query(visit, block, number);
    Answer answer =
        co_await visit.api.get(rows_path(*block.entity), rows_members(visit, block, query));
    // A cursor or an order of another time or another caller is passed over.
    if (answer.status == 400 && query.narrowed_or_ordered()) {
        query.forget();
        answer =
            co_await visit.api.get(rows_path(*block.entity), rows_members(visit, block, query));
    }
    Html buttons;
    if (!block.parent.empty()) buttons << create_button(visit, *block.entity, block, "quiet");
    open_block(out, "rows", block.title, number, buttons);
    if (block.tools) write_tools(out, visit, block, number, query);
    if (!answer.ok()) {
        write_failure(answer, out);
    } else if (answer.rows().empty()) {
        write_empty(out, visit, block, query.narrowed(), number);
    } else if (block.kind == Block::table) {
        write_table(out, visit, block, number, query, answer.rows());
    } else {
        out << "<ul class=\"cards "
            << (block.kind == Block::grid ? std::string_view("grid") : std::string_view("lines"))
            << "\">";
        for (const Json& row : answer.rows()) write_card(out, visit, block, query, row);
        out << "</ul>";
    }
    if (answer.ok()) write_pager(out, visit, number, answer);
    close_block(out);
}

Task<> write_board(Visit& visit, const Block& block, std::size_t number, Html& out) {
    constexpr std::string_view kMost = "200";
    const Entity& entity = *block.entity;
    const int by = readable(visit, entity, block.by);
    if (by < 0 || !entity.access.reads(visit.caller.principals)) co_return;
    RowsQuery query = read_rows_query(visit, block, number);
    query.also = static_cast<std::size_t>(by);
    Members members = rows_members(visit, block, query);
    members.remove("cursor");
    if (block.limit == 0) members.set("limit", kMost);
    const Answer answer = co_await visit.api.get(rows_path(entity), std::move(members));
    open_block(out, "board", block.title, number, Html());
    if (!answer.ok()) write_failure(answer, out);
    std::erase(query.shown, static_cast<std::size_t>(by));
    out << "<div class=\"columns\" tabindex=\"0\" role=\"group\" aria-label=\"Board\">";
    for (const Choice& choice :
         table_of(visit, entity).fields[static_cast<std::size_t>(by)].choices) {
        Html cards;
        std::size_t count = 0;
        for (const Json& row : answer.rows()) {
            if (plain(row.find(block.by)) != choice.value) continue;
            ++count;
            write_card(cards, visit, block, query, row);
        }
        out << "<section class=\"column\"><h3>";
        show_badge(out, choice.value, choice.label);
        out << " <span class=\"count\">" << count << "</span></h3><ul class=\"cards\">" << cards
            << "</ul></section>";
    }
    out << "</div>";
    close_block(out);
}

}  // namespace svc::page
