#include "data/filter/filter_value.hpp"

#include <algorithm>
#include <charconv>

#include "base/formats.hpp"
#include "base/sql_state.hpp"
#include "json/formats.hpp"
#include "json/mistyped.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;

Error misfit(std::string_view sqlstate, std::string message, const Column& column) {
    return {Code::params_invalid, std::move(message), std::string(column.name),
            std::string(sqlstate)};
}

Error mistyped(const Column& column, const json::Value& value) {
    return misfit(base::sqlstate::kBadText, json::mistyped(column, value.shown()), column);
}

Error out_of_range(const Column& column, const json::Value& value) {
    return misfit(base::sqlstate::kOutOfRange, json::out_of_range(column, value.text), column);
}

Result<std::string> whole(const Column& column, const json::Value& value) {
    std::int64_t number = 0;
    switch (json::whole_number(value.text, number)) {
        case json::Whole::ok:
            return std::to_string(number);
        case json::Whole::not_whole:
            return mistyped(column, value);
        case json::Whole::out_of_range:
            return out_of_range(column, value);
    }
    return mistyped(column, value);
}

Result<std::string> number(const Column& column, const json::Value& value) {
    if (!json::is_number(value.text)) return mistyped(column, value);
    if (column.type == Type::integer || column.type == Type::money) return whole(column, value);
    if (column.type == Type::decimal) {
        if (!json::decimal_in_range(value.text)) return out_of_range(column, value);
        return value.text;
    }
    double parsed = 0;
    const char* begin = value.text.data();
    if (std::from_chars(begin, begin + value.text.size(), parsed).ec != std::errc{}) {
        return out_of_range(column, value);
    }
    return value.text;
}

Result<std::string> checked(const Column& column, const json::Value& value,
                            bool (*check)(std::string_view)) {
    if (!value.is(Kind::string) || !check(value.text)) return mistyped(column, value);
    return value.text;
}

Result<std::string> tags(const Column& column, const json::Value& value) {
    if (!value.is(Kind::array)) return mistyped(column, value);
    std::vector<std::string> items;
    for (const json::Value& item : value.items) {
        if (!item.is(Kind::string)) return mistyped(column, value);
        items.push_back(item.text);
    }
    return json::array_literal(items);
}

Result<std::string> json_value(const Column& column, const json::Value& value) {
    std::string text = value.shown();
    if (json::numbers_in_range(text)) return text;
    return misfit(base::sqlstate::kOutOfRange, json::numbers_out_of_range(column), column);
}

}  // namespace

Result<std::string> column_value(const Column& column, const json::Value& value) {
    switch (column.type) {
        case Type::text:
        case Type::enumeration:
            if (!value.is(Kind::string)) return mistyped(column, value);
            return value.text;
        case Type::integer:
        case Type::money:
        case Type::decimal:
        case Type::floating:
            if (!value.is(Kind::number) && !value.is(Kind::string)) return mistyped(column, value);
            return number(column, value);
        case Type::boolean:
            if (value.text != "true" && value.text != "false") return mistyped(column, value);
            return value.text;
        case Type::date:
            return checked(column, value, base::is_date);
        case Type::time:
            return checked(column, value, base::is_time);
        case Type::timestamp:
            return checked(column, value, base::is_moment);
        case Type::uuid:
            return checked(column, value, base::is_uuid);
        case Type::key:
            if (!value.is(Kind::number) && !value.is(Kind::string)) return mistyped(column, value);
            return value.text;
        case Type::tags:
            return tags(column, value);
        case Type::json:
            return json_value(column, value);
    }
    return mistyped(column, value);
}

}  // namespace svc::data::filter
