// The move of a card to another column of its board.
#include <algorithm>

#include "base/json_text.hpp"
#include "page/action/board.hpp"
#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/rows/row_shapes.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

// What the form of a card changes, as the body of the write. Empty: it asks for no known move.
std::string change_of(const Visit& visit, const Block& block) {
    const std::string_view asked = visit.form.text("_move");
    const Entity& entity = *block.entity;
    if (is_lifecycle(block)) {
        const List<Transition>& moves = entity.lifecycle->transitions;
        const bool known = std::ranges::find(moves, asked, &Transition::name) != moves.end();
        return known ? R"({"transition":)" + base::json_string(asked) + "}" : std::string();
    }
    const int by = readable(visit, entity, block.by);
    if (by < 0) return {};
    const auto column = static_cast<std::size_t>(by);
    const Field& field = table_of(visit, entity).fields[column];
    const bool known = asked.empty() ? may_be_none(entity.columns[column], field)
                                     : std::ranges::find(field.choices, asked, &Choice::value) !=
                                           field.choices.end();
    if (!known) return {};
    return "{" + base::json_string(block.by) + ":" +
           (asked.empty() ? "null" : base::json_string(asked)) + "}";
}

}  // namespace

bool is_lifecycle(const Block& block) {
    const Lifecycle* lifecycle = block.entity->lifecycle;
    return lifecycle && lifecycle->field == block.by;
}

bool may_be_none(const Column& column, const Field& field) {
    return !column.required && !field.has_default;
}

Task<Progress> move_card(Visit& visit, const Block& block, std::size_t number) {
    const std::string id(visit.form.text("_row"));
    std::string body = change_of(visit, block);
    if (id.empty() || id.find('/') != std::string::npos || body.empty()) {
        visit.problems = Problems{.block = number, .whole = "This cannot be done here."};
        co_return Progress::goes_on;
    }
    std::string path = rows_path(*block.entity) + "/" + id;
    if (is_lifecycle(block)) path += "/transition";
    const Answer answer =
        co_await visit.api.send("PATCH", std::move(path), std::move(body), std::string());
    if (!answer.ok()) {
        refuse_move(visit, *block.entity, number, answer);
        co_return Progress::goes_on;
    }
    go_on(visit, visit.with(number, "moved", id), "moved");
    co_return Progress::answered;
}

}  // namespace svc::page
