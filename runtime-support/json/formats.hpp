// Numbers and lists against PostgreSQL's types, before anything is sent. Days, moments and uuids:
// base/formats.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace svc::json {

enum class Whole { ok, not_whole, out_of_range };
// A JSON number that is a whole one, however it is written: 100, 1e2, 5.0.
Whole whole_number(std::string_view number, std::int64_t& out);

// Fits PostgreSQL's numeric without a value that is all zeros for a megabyte: at most 1,000 digits
// on each side of the point.
bool decimal_in_range(std::string_view number);

// True if every number in a JSON value is in range, and all of them together are: PostgreSQL writes
// each with all its digits, so a thousand times 1e900 would be a megabyte. `value` is valid JSON.
bool numbers_in_range(std::string_view value);

// Valid as RFC 8259 writes numbers, from end to end.
bool is_number(std::string_view text);

// PostgreSQL's text form of text[].
std::string array_literal(const std::vector<std::string>& items);
// Reads one element of that form and moves `text` past it and its comma. False at the end.
struct ArrayItem {
    std::string text;
    bool null = false;
};
bool next_array_item(std::string_view& text, ArrayItem& item);

}  // namespace svc::json
