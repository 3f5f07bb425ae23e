// Block board: cards in columns, and the forms that move a card to another one.
#include "page/action/board.hpp"

#include <algorithm>

#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/rights.hpp"
#include "page/rows/row_shapes.hpp"
#include "page/value/badge.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kMost = "200";  // cards, if the block names no limit
constexpr std::size_t kSpokenName = 80;    // characters of a row's name in a button's

struct Board {
    const Visit& visit;
    const Block& block;
    std::size_t number, by;  // of the block on its page; the column that its columns are values of
    RowsQuery query;

    const Entity& entity() const { return *block.entity; }
    const Field& field() const { return table_of(visit, entity()).fields[by]; }
    std::string_view heading() const { return block.title.empty() ? "h2" : "h3"; }
};

// A place where a card may go: `action` is what the form sends.
struct Step {
    std::string_view to, action;
    std::string words;
};

std::vector<Step> transitions_from(const Board& board, std::string_view state) {
    std::vector<Step> out;
    for (const Transition& move : board.entity().lifecycle->transitions)
        if (board.visit.sees(move.by) && std::ranges::find(move.from, state) != move.from.end())
            out.push_back({move.to, move.name, in_words(move.name)});
    return out;
}

std::vector<Step> values_beside(const Board& board, std::string_view value) {
    std::vector<Step> out;
    for (const Choice& choice : board.field().choices)
        if (choice.value != value)
            out.push_back({choice.value, choice.value, std::string(choice.label)});
    if (!value.empty() && may_be_none(board.entity().columns[board.by], board.field()))
        out.push_back({"", "", "None"});
    return out;
}

// Which of the rows the caller may move. The transitions of a lifecycle have callers of their own.
Task<std::vector<bool>> movable_rows(Visit& visit, const Board& board,
                                     const std::vector<Json>& rows) {
    if (is_lifecycle(board.block)) co_return std::vector<bool>(rows.size(), true);
    if (!may_send(visit, board.entity(), board.by, true))
        co_return std::vector<bool>(rows.size(), false);
    std::vector<std::string> ids;
    ids.reserve(rows.size());
    for (const Json& row : rows) ids.push_back(plain(row.find("id")));
    co_return co_await may_update_rows(visit, board.entity(), ids);
}

Html write_steps(const Board& board, const Json& row, const std::vector<Step>& steps) {
    Html out;
    const std::string& id = plain(row.find("id"));
    if (steps.empty() || id.empty()) return out;
    const std::string name = name_of(board.visit, table_of(board.visit, board.entity()), row);
    out << "<form method=\"post\" class=\"steps\">";
    write_number(out, board.number);
    out << "<input type=\"hidden\" name=\"_do\" value=\"move\"><input type=\"hidden\" "
           "name=\"_row\"";
    out.attribute("value", id) << "><details><summary";
    out.attribute("aria-label", "Move " + shortened(name, kSpokenName)) << ">Move</summary>";
    for (const Step& step : steps) {
        out << "<button class=\"button quiet\" name=\"_move\"";
        out.attribute("value", step.action).attribute("data-to", step.to)
            << ">" << step.words << "</button>";
    }
    out << "</details></form>";
    return out;
}

// True for the card that was moved, or could not be moved.
bool has_focus(const Board& board, std::string_view id) {
    if (id.empty()) return false;
    if (has_failed(board.visit, board.number)) return board.visit.form.text("_row") == id;
    return board.visit.asked(board.number, "moved") == id;
}

// One column with the rows of this value.
void write_column(Html& out, const Board& board, const Html& name, std::string_view value,
                  const std::vector<Json>& rows, const std::vector<bool>& movable) {
    Html cards;
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (plain(rows[i].find(board.block.by)) != value) continue;
        ++count;
        CardPart part{.focused = has_focus(board, plain(rows[i].find("id")))};
        if (movable[i])
            part.below = write_steps(board, rows[i],
                                     is_lifecycle(board.block) ? transitions_from(board, value)
                                                               : values_beside(board, value));
        write_card(cards, board.visit, board.block, board.query, rows[i], part);
    }
    out << "<section class=\"column\"";
    out.attribute("data-to", value)
        << "><" << board.heading() << ">" << name << " <span class=\"count\">" << count
        << "</span></" << board.heading() << ">";
    if (count == 0)
        out << "<p class=\"none\">Nothing here.</p>";
    else
        out << "<ul class=\"cards\">" << cards << "</ul>";
    out << "</section>";
}

// Rows without a value come first, because people have yet to decide about them.
void write_columns(Html& out, const Board& board, const std::vector<Json>& rows,
                   const std::vector<bool>& movable) {
    const auto undecided = [&](const Json& row) {
        const Json* value = row.find(board.block.by);
        return !value || value->is(Json::Kind::null);
    };
    out << "<div class=\"columns\" tabindex=\"0\" role=\"group\" aria-label=\"Board\">";
    if (std::ranges::any_of(rows, undecided)) {
        Html name;
        show_badge(name, "", "None", false);
        write_column(out, board, name, "", rows, movable);
    }
    for (const Choice& choice : board.field().choices) {
        Html name;
        show_choice(name, board.visit, board.entity(), board.by, choice.value);
        write_column(out, board, name, choice.value, rows, movable);
    }
    out << "</div>";
}

// Says how many rows there are beside those on the board, and where.
Task<> write_rest(Visit& visit, const Board& board, Members members, std::size_t shown, Html& out) {
    const Entity& entity = board.entity();
    members.set("select", "id");
    members.set("limit", "1");
    members.set("count", "estimated");
    const Answer answer = co_await visit.api.get(rows_path(entity), std::move(members));
    const std::string all = count_words(answer);
    const std::string plural = lower_first(table_of(visit, entity).plural);
    out << "<p class=\"rest\">";
    if (all.empty())
        out << "There are more " << plural << " than the " << shown << " shown here.";
    else
        out << "Shown here: " << shown << " of " << all << " " << plural << ".";
    if (const std::string_view route = list_route(visit, entity); !route.empty()) {
        out << " <a";
        out.href(route) << ">All " << plural << "</a>";
    }
    out << "</p>";
}

}  // namespace

Task<> write_board(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const int by = readable(visit, *block.entity, block.by);
    if (by < 0 || !block.entity->access.reads(visit.caller.principals)) co_return;
    Board board{visit, block, number, static_cast<std::size_t>(by),
                read_rows_query(visit, block, number)};
    board.query.also = board.by;
    Members members = rows_members(visit, block, board.query);
    members.remove("cursor");
    if (block.limit == 0) members.set("limit", kMost);
    const Answer answer = co_await visit.api.get(rows_path(*block.entity), members);
    open_block(out, "board", block.title, number, Html());
    if (has_failed(visit, number)) write_notice(out, visit.problems->whole);
    if (answer.ok()) {
        std::erase(board.query.shown, board.by);
        const std::vector<bool> movable = co_await movable_rows(visit, board, answer.rows());
        const std::size_t shown = answer.rows().size();
        if (answer.truncated()) co_await write_rest(visit, board, std::move(members), shown, out);
        write_columns(out, board, answer.rows(), movable);
    } else {
        write_failure(answer, out);
    }
    close_block(out);
}

}  // namespace svc::page
