// Blocks list, table and grid: rows with links, order, filters and pages, all as addresses.
#include "page/block.hpp"
#include "page/html/icons.hpp"
#include "page/rights.hpp"
#include "page/rows/row_shapes.hpp"

namespace svc::page {
namespace {

// `adds`: the caller may make the first one here.
void write_empty(Html& out, const Visit& visit, const Block& block, bool narrowed, bool adds,
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
    if (block.entity && adds) out << create_button(visit, *block.entity, block, "quiet");
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

// A few rows need no order that could be chosen.
bool has_pages(const Answer& answer, const RowsQuery& query) {
    return answer.ok() && (!answer.body.text_of("nextCursor").empty() || !query.cursor.empty() ||
                           query.sorted_by_visitor);
}

// A row below the page's own, whose policy may need that one to be theirs to change.
Task<bool> may_add(Visit& visit, const Block& block) {
    if (block.parent.empty() || visit.params.empty()) co_return true;
    std::string above = visit.params.front().second;
    co_return co_await may_create_under(visit, *block.entity, block.parent, std::move(above));
}

Task<> write_query_rows(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const Answer answer = co_await run_query(visit, block);
    open_block(out, "rows", block.title, number, Html());
    if (!answer.ok())
        write_failure(answer, out);
    else if (answer.rows().empty())
        write_empty(out, visit, block, false, false, number);
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
    const bool adds = co_await may_add(visit, block);
    Html buttons;
    // If there are no rows yet, the button is in the text that says so.
    const bool some = !answer.rows().empty() || query.narrowed();
    if (!block.parent.empty() && adds && some)
        buttons << create_button(visit, *block.entity, block, "quiet");
    open_block(out, "rows", block.title, number, buttons);
    if (block.tools)
        write_tools(out, visit, block, number, query);
    else if (block.kind == Block::table && has_pages(answer, query))
        write_order_alone(out, visit, block, number, query);
    if (!answer.ok()) {
        write_failure(answer, out);
    } else if (answer.rows().empty()) {
        write_empty(out, visit, block, query.narrowed(), adds, number);
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

}  // namespace svc::page
