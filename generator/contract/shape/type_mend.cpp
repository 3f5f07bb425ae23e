#include "contract/shape/type_mend.hpp"

#include <algorithm>

namespace svc::contract {
namespace {

using Kind = Value::Kind;

// Examples of types. The first one whose name begins with the wanted type counts.
constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
    {"a string", "\"…\""},
    {"a principal", "\"staff\" or [\"staff\", …]"},
    {"a number", "a number, such as 1"},
    {"a whole number", "a whole number, such as 1"},
    {"true", "true or false"},
    {"a list of names", "a list of names: [\"…\"]"},
    {"a list of strings", "a list of strings: [\"…\"]"},
    {"a list of whole numbers", "a list of numbers: [1]"},
    {"a list", "a list: […]"},
    {"an object of lists", "rows by entity: {\"<entity>\": [{…}]}"},
    {"an object", "an object: {…}"},
};

std::string_view example_of(std::string_view wanted) {
    for (const auto& [type, example] : kExamples)
        if (wanted.starts_with(type)) return example;
    return wanted;
}

bool is_number(std::string_view text) {
    const auto digit = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; };
    return !text.empty() && std::ranges::all_of(text, digit) && text.back() != '-' &&
           text.back() != '.';
}

}  // namespace

std::string type_mend(const Value& value, std::string_view wanted) {
    const bool flag = value.text == "true" || value.text == "false";
    const bool number = wanted.find("number") != wanted.npos && wanted.find("list") == wanted.npos;
    if (value.is(Kind::string) &&
        ((wanted.starts_with("true") && flag) || (number && is_number(value.text))))
        return "write " + value.text + " without quotes";
    const bool plain = value.is(Kind::number) || value.is(Kind::boolean);
    if (plain && wanted.starts_with("a string"))
        return "write it as a string: " + json_string(value.text);
    const std::string out = "write " + std::string(example_of(wanted));
    return value.is(Kind::null) ? out + "; or remove the key" : out;
}

}  // namespace svc::contract
