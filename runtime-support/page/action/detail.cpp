// Blocks detail and actions: one row, and what can be done with it.
#include <algorithm>

#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form.hpp"
#include "page/html/icons.hpp"
#include "page/rights.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/badge.hpp"
#include "page/value/file.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

std::string row_id(const Visit& visit, const Block& block) {
    return filled(visit, block.id, nullptr);
}

// The row that a block is about, with the rows that its refs name.
Task<Answer> read_row(Visit& visit, const Block& block, std::vector<std::size_t> columns) {
    const Entity& entity = *block.entity;
    const auto need = [&](std::string_view name) { add_readable(visit, entity, name, columns); };
    need("id");
    if (entity.lifecycle) need(entity.lifecycle->field);
    for (const std::string_view name : name_columns(visit, table_of(visit, entity))) need(name);
    Members members;
    members.set("select", selection(visit, entity, columns));
    co_return co_await visit.api.get(rows_path(entity) + "/" + row_id(visit, block),
                                     std::move(members));
}

Task<> write_file(Html& out, Visit& visit, std::string_view column, const Json& row) {
    const ShownFile file = co_await read_file(visit, file_address(visit, column, row));
    show_file(out, file);
}

Task<> write_fields(Html& out, Visit& visit, const Block& block,
                    const std::vector<std::size_t>& columns, const Json& row) {
    const Entity& entity = *block.entity;
    out << "<dl class=\"fields-shown\">";
    for (const std::size_t column : columns) {
        const Field& field = table_of(visit, entity).fields[column];
        out << "<div><dt>" << field.label << "</dt><dd>";
        if (field.kind == FieldKind::file)
            co_await write_file(out, visit, entity.columns[column].name, row);
        else
            show_value(out, visit, entity, column, row, Room::whole);
        out << "</dd></div>";
    }
    out << "</dl>";
}

Task<> write_query_detail(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const Answer answer = co_await run_query(visit, block);
    open_block(out, "detail", block.title, number, Html());
    if (answer.rows().empty()) {
        out << "<p class=\"empty\">There is nothing here.</p>";
    } else {
        out << "<dl class=\"fields-shown\">";
        for (const Json::Member& member : answer.rows().front().members) {
            const bool named = block.fields.empty() ||
                               std::ranges::find(block.fields, member.name) != block.fields.end();
            if (!named) continue;
            out << "<div><dt>" << in_words(member.name) << "</dt><dd>";
            show_plain(out, &member.value);
            out << "</dd></div>";
        }
        out << "</dl>";
    }
    close_block(out);
}

bool starts_from(const Transition& move, std::string_view state) {
    return std::ranges::find(move.from, state) != move.from.end();
}

bool is_named(const Block& block, std::string_view name) {
    return std::ranges::find(block.transitions, name) != block.transitions.end();
}

void write_moves(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 std::string_view state) {
    bool first = true;
    for (const Transition& move : block.entity->lifecycle->transitions) {
        const bool offered =
            is_named(block, move.name) && starts_from(move, state) && visit.sees(move.by);
        if (!offered) continue;
        const bool bad = is_bad_end(move.to);
        out << "<form method=\"post\">";
        write_number(out, number);
        out << "<input type=\"hidden\" name=\"_do\" value=\"move\"><button name=\"_move\" "
               "class=\"button "
            << (bad     ? std::string_view("quiet danger-text")
                : first ? std::string_view("primary")
                        : std::string_view("quiet"))
            << "\"";
        out.attribute("value", move.name) << ">" << in_words(move.name) << "</button></form>";
        first = first && bad;
    }
}

void write_confirmation(Html& out, const Visit& visit, const Block& block, std::size_t number,
                        const std::string& name) {
    out << "<div class=\"confirm\" role=\"alertdialog\" aria-label=\"Delete\"><p>Delete <strong>"
        << shortened(name, 200) << "</strong>? "
        << (block.entity->restore.name.empty()
                ? std::string_view("This cannot be undone.")
                : std::string_view("The row will be hidden. It can be restored."))
        << "</p><div class=\"buttons\"><form method=\"post\">";
    write_number(out, number);
    out << "<button class=\"button danger\" name=\"_do\" value=\"delete\">Delete</button></form>"
           "<a class=\"button quiet\"";
    out.href(visit.with(number, "confirm", "")) << ">Keep it</a></div></div>";
}

}  // namespace

Task<> write_detail(Visit& visit, const Block& block, std::size_t number, Html& out) {
    if (!block.entity) {
        co_await write_query_detail(visit, block, number, out);
        co_return;
    }
    const Entity& entity = *block.entity;
    if (!entity.access.reads(visit.caller.principals)) co_return;
    const std::vector<std::size_t> columns = shown_columns(visit, block);
    const Answer answer = co_await read_row(visit, block, columns);
    open_block(out, "detail", block.title, number, Html());
    if (answer.rows().empty()) {
        visit.missing = visit.missing || answer.ok() || answer.status < 500;
        out << "<p class=\"empty\">This does not exist, or is not yours to see.</p>";
    } else {
        const Json& row = answer.rows().front();
        if (visit.page && visit.page->about == &entity)
            visit.title = shortened(name_of(visit, table_of(visit, entity), row), 200);
        co_await write_fields(out, visit, block, columns, row);
    }
    close_block(out);
}

Task<> write_actions(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const Entity& entity = *block.entity;
    if (!entity.access.reads(visit.caller.principals)) co_return;
    const Answer answer = co_await read_row(visit, block, {});
    if (answer.rows().empty()) co_return;
    const Json& row = answer.rows().front();
    Html inner;
    if (entity.lifecycle && !block.transitions.empty())
        write_moves(inner, visit, block, number, plain(row.find(entity.lifecycle->field)));
    bool removes = block.remove;
    if (removes) removes = (co_await rights_on(visit, entity, row_id(visit, block))).remove;
    const bool asks = removes && visit.asked(number, "confirm") == "delete";
    if (removes && !asks) {
        inner << "<a class=\"button quiet danger-text\"";
        inner.href(visit.with(number, "confirm", "delete") + "#b" + std::to_string(number + 1))
            << ">Delete</a>";
    }
    const bool failed = has_failed(visit, number);
    if (inner.empty() && !asks && !failed) co_return;
    open_block(out, "actions", block.title, number, Html());
    if (failed) write_notice(out, visit.problems->whole);
    if (asks)
        write_confirmation(out, visit, block, number, name_of(visit, table_of(visit, entity), row));
    else
        out << "<div class=\"buttons\">" << inner << "</div>";
    close_block(out);
}

void refuse_move(Visit& visit, const Entity& entity, std::size_t number, const Answer& answer) {
    Problems problems{.block = number};
    report_refusal(visit, entity, RowAction::move, answer, problems);
    if (problems.whole.empty() && !problems.fields.empty())
        problems.whole = problems.fields.front().second;
    visit.problems = std::move(problems);
}

Task<Progress> move_row(Visit& visit, const Block& block, std::size_t number) {
    const Entity& entity = *block.entity;
    const std::string name(visit.form.text("_move"));
    if (!entity.lifecycle || !is_named(block, name)) {
        visit.problems = Problems{.block = number, .whole = "This cannot be done here."};
        co_return Progress::goes_on;
    }
    std::string body = "{\"transition\":\"" + name + "\"}";  // a name of the contract's
    const std::string path = rows_path(entity) + "/" + row_id(visit, block) + "/transition";
    const Answer answer = co_await visit.api.send("PATCH", path, std::move(body), std::string());
    if (!answer.ok()) {
        refuse_move(visit, entity, number, answer);
        co_return Progress::goes_on;
    }
    const Json* row = answer.rows().empty() ? nullptr : &answer.rows().front();
    go_on(visit, filled(visit, block.then, row, Fill::address), "moved");
    co_return Progress::answered;
}

Task<Progress> delete_row(Visit& visit, const Block& block, std::size_t number) {
    const Entity& entity = *block.entity;
    Problems problems{.block = number};
    const std::string path = rows_path(entity) + "/" + row_id(visit, block);
    // Read before: `then` may name fields of the row.
    const Answer before = co_await visit.api.get(path, Members());
    Answer answer;
    if (block.remove)
        answer = co_await visit.api.send("DELETE", path, std::string(), std::string());
    if (!answer.ok()) {
        report_refusal(visit, entity, RowAction::remove, answer, problems);
        if (answer.status == 409)
            problems.whole = "Others still refer to this, so it cannot be deleted.";
        if (problems.whole.empty()) problems.whole = "This cannot be deleted.";
        visit.problems = std::move(problems);
        co_return Progress::goes_on;
    }
    const Json* row = before.rows().empty() ? nullptr : &before.rows().front();
    std::string then = filled(visit, block.then, row, Fill::address);
    if (then.empty()) then = list_route(visit, entity);
    go_on(visit, then.empty() ? "/" : then, "deleted");
    co_return Progress::answered;
}

}  // namespace svc::page
