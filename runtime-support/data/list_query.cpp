#include "data/list_query.hpp"

#include "data/query_params.hpp"
#include "http/exchange.hpp"

namespace svc::data {

namespace {

using Kind = json::Value::Kind;

constexpr std::uint64_t kDefaultLimit = 50, kMaxLimit = 500;
constexpr std::uint64_t kMaxOffset = 1'000'000'000'000;

// Rows that compare equal keep one order from page to page: the id decides.
Result<std::string> sort_order(const FilterScope& scope, const json::Value& sort) {
    const json::Value* field = sort.find("field");
    if (!sort.is(Kind::object) || field == nullptr || !field->is(Kind::string)) {
        return bad_params("sort takes {field, dir}.");
    }
    for (const auto& [name, unused] : sort.members) {
        if (name != "field" && name != "dir") return bad_params("sort has no " + name + '.');
    }
    const Column* column = readable_column(scope.entity, scope.visible, field->text);
    if (column == nullptr) return unknown_column(scope.entity, field->text);
    std::string dir = "asc";
    if (const json::Value* given = sort.find("dir")) {
        if (!given->is(Kind::string) || (given->text != "asc" && given->text != "desc")) {
            return bad_params("dir of sort is asc or desc.");
        }
        dir = given->text;
    }
    std::string order = quoted(column->name) + ' ' + dir;
    if (column->name != "id") order += ", \"id\" " + dir;
    return order;
}

}  // namespace

Result<ListQuery> read_list_query(const Entity& entity, const ColumnSet& visible, const App& app,
                                  std::string_view query) {
    if (http::query_param(query, "cursor").found) {
        return bad_params("Paging by cursor is not available yet: use limit and offset.");
    }
    const auto limit = whole_param(query, "limit", {kDefaultLimit, 1, kMaxLimit});
    if (!limit) return limit.error();
    const auto offset = whole_param(query, "offset", {0, 0, kMaxOffset});
    if (!offset) return offset.error();

    ListQuery list;
    list.limit = *limit;
    const FilterScope scope{entity, visible, app.timezone};
    const auto conditions = condition_params(scope, query, list.text);
    if (!conditions) return conditions.error();
    const auto sort = json_param(query, "sort");
    if (!sort) return sort.error();
    list.first = conditions->empty() && !sort->has_value() && *offset == 0;
    const std::string limit_text = std::to_string(list.limit + 1);
    if (list.first) {
        list.text.bind(limit_text, Type::integer);
        return list;
    }

    std::string order = "\"id\"";
    if (sort->has_value()) {
        auto given = sort_order(scope, **sort);
        if (!given) return given.error();
        order = std::move(*given);
    }
    list.text.sql = std::string(entity.list) +
                    (conditions->empty() ? "" : "\nwhere " + *conditions) + "\norder by " + order +
                    "\nlimit " + list.text.bind(limit_text, Type::integer) + " offset " +
                    list.text.bind(std::to_string(*offset), Type::integer);
    return list;
}

}  // namespace svc::data
