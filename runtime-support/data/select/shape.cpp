#include "data/select/shape.hpp"

#include <algorithm>

#include "data/select/link_options.hpp"
#include "http/exchange.hpp"

namespace svc::data::select {

Result<Shape> Shape::read(const Reader& reader, std::size_t rows, QueryText& bound) {
    Shape shape(reader.head);
    shape.bound_ = &bound;
    const std::string_view query = reader.head.query;
    const http::QueryParam select = http::query_param(query, "select");
    if (!select.found) {
        if (http::query_param(query, "links").found)
            return bad_params("links needs select as well.");
        return shape;
    }
    const PrincipalSet principals = reader.caller.principals;
    auto members = read_selection(reader.entity, principals, select.value, rows);
    if (!members) return members.error();
    const LinkScope links{principals, reader.app.timezone};
    if (auto error = read_link_options(links, query, *members, bound)) return *error;
    const auto over_link = [](const Selected& selected) { return selected.link != nullptr; };
    shape.weight_ += static_cast<unsigned>(std::ranges::count_if(*members, over_link));
    shape.entity_ = &reader.entity;
    shape.selected_.emplace(reader.entity, std::move(*members));
    return shape;
}

std::string Shape::form(const http::Head& head) const {
    if (!selected_ && format_ == Format::json) return {};
    return std::string(content_type(format_)) + http::query_param(head.query, "select").value;
}

Statement Shape::around(const Statement& rows, const KeptColumns& kept) {
    if (!selected_) return rows;
    selected_->skip_extra(kept.extra);
    sql_ = selecting(*entity_, selected_->members(), kept, rows.sql);
    return {.name = "?", .types = bound_->types, .sql = sql_};
}

}  // namespace svc::data::select
