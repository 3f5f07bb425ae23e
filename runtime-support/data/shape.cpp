#include "data/shape.hpp"

#include <algorithm>

namespace svc::data {

Result<Shape> Shape::read(const Entity& entity, const Caller& caller, const http::Head& head,
                          std::size_t rows) {
    Shape shape(head);
    const http::QueryParam select = http::query_param(head.query, "select");
    if (!select.found) return shape;
    auto members = read_selection(entity, caller.principals, select.value, rows);
    if (!members) return members.error();
    const auto over_link = [](const Selected& selected) { return selected.link != nullptr; };
    shape.weight_ += static_cast<unsigned>(std::ranges::count_if(*members, over_link));
    shape.entity_ = &entity;
    shape.selected_.emplace(entity, std::move(*members));
    return shape;
}

Statement Shape::around(const Statement& rows, const Kept& kept) {
    if (!selected_) return rows;
    selected_->start_behind(kept.behind);
    sql_ = selecting(*entity_, selected_->members(), kept, rows.sql);
    return {.name = "?", .types = rows.types, .sql = sql_};
}

}  // namespace svc::data
