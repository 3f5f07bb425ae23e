#include "json/mistyped.hpp"

#include "base/utf8.hpp"

namespace svc::json {

namespace {

std::string_view expected(Type type) {
    switch (type) {
        case Type::text:
        case Type::enumeration:
            return "a string";
        case Type::integer:
            return "a whole number";
        case Type::decimal:
        case Type::floating:
            return "a number";
        case Type::money:
            return "a whole number of cents";
        case Type::boolean:
            return "true or false";
        case Type::date:
            return "a date like 2026-11-21";
        case Type::time:
            return "a time of day like 13:37:00";
        case Type::timestamp:
            return "a date and time like 2026-11-21T13:37:00Z";
        case Type::tags:
            return "a list of strings";
        case Type::json:
            return "a JSON value";
        case Type::uuid:
            return "a uuid";
        case Type::key:
            return "a key: a string or a whole number";
    }
    return "another type";
}

// Cut at a character's border: the message must stay valid UTF-8.
std::string shortened(std::string_view text) {
    constexpr std::size_t kMost = 40;
    if (text.size() <= kMost) return std::string(text);
    std::size_t end = kMost;
    while (end > 0 && base::continues_character(text[end])) --end;
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string mistyped(const Column& column, std::string_view shown) {
    std::string message(column.name);
    message += " takes ";
    message += expected(column.type);
    return message + ", not " + shortened(shown);
}

std::string out_of_range(const Column& column, std::string_view shown) {
    return std::string(column.name) + " cannot hold a number as large as " + shortened(shown);
}

std::string numbers_out_of_range(const Column& column) {
    return std::string(column.name) +
           " takes numbers of at most 1,000 digits, and their exponents may add up to at most "
           "100,000";
}

std::string too_long(const Column& column) {
    return std::string(column.name) + " takes at most " + std::to_string(column.max_length) +
           " characters";
}

}  // namespace svc::json
