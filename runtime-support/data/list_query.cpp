#include "data/list_query.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/filter.hpp"
#include "http/exchange.hpp"

namespace svc::data {

namespace {

using Kind = json::Value::Kind;

constexpr std::uint64_t kDefaultLimit = 50, kMaxLimit = 500;
constexpr std::uint64_t kMaxOffset = 1'000'000'000'000;

// A whole number from `least` on; one beyond `most` counts as `most`.
Result<std::uint64_t> whole(std::string_view query, std::string_view name, std::uint64_t fallback,
                            std::uint64_t least, std::uint64_t most) {
    const http::QueryParam param = http::query_param(query, name);
    if (!param.found) return fallback;
    const std::string& text = param.value;
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    std::uint64_t value = most;
    if (digits) std::from_chars(text.data(), text.data() + text.size(), value);
    if (!digits || value < least) {
        return bad_params(std::string(name) + " takes a whole number from " +
                          std::to_string(least) + " on.");
    }
    return std::min(value, most);
}

// Nothing where the parameter is missing.
Result<std::optional<json::Value>> json_param(std::string_view query, std::string_view name) {
    http::QueryParam param = http::query_param(query, name);
    if (!param.found) return std::optional<json::Value>{};
    json::Parsed parsed = json::parse(param.value);
    if (!parsed.error.empty()) {
        Error error = bad_params(std::string(name) + ": " + parsed.error);
        if (parsed.nul) error.sqlstate = "22P05";
        return error;
    }
    return std::optional<json::Value>(std::move(parsed.value));
}

std::optional<Error> add_conditions(const FilterScope& scope, std::string_view query,
                                    QueryText& text, std::string& conditions) {
    using Translate = Result<std::string> (*)(const FilterScope&, const json::Value&, QueryText&);
    constexpr std::pair<std::string_view, Translate> kParams[] = {{"where", where_condition},
                                                                  {"filter", filter_condition}};
    for (const auto& [name, translate] : kParams) {
        auto value = json_param(query, name);
        if (!value) return value.error();
        if (!value->has_value()) continue;
        auto condition = translate(scope, **value, text);
        if (!condition) return condition.error();
        if (condition->empty()) continue;
        conditions += (conditions.empty() ? "\nwhere " : " and ") + *condition;
    }
    return std::nullopt;
}

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
    const auto limit = whole(query, "limit", kDefaultLimit, 1, kMaxLimit);
    if (!limit) return limit.error();
    const auto offset = whole(query, "offset", 0, 0, kMaxOffset);
    if (!offset) return offset.error();

    ListQuery list;
    list.limit = *limit;
    const FilterScope scope{entity, visible, app.timezone};
    std::string conditions;
    if (auto error = add_conditions(scope, query, list.text, conditions)) return *error;
    const auto sort = json_param(query, "sort");
    if (!sort) return sort.error();
    list.first = conditions.empty() && !sort->has_value() && *offset == 0;
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
    list.text.sql = std::string(entity.list) + conditions + "\norder by " + order + "\nlimit " +
                    list.text.bind(limit_text, Type::integer) + " offset " +
                    list.text.bind(std::to_string(*offset), Type::integer);
    return list;
}

}  // namespace svc::data
