// Texts and JSON values as values of field types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/formats.hpp"
#include "contract/value.hpp"
#include "model/model.hpp"

namespace svc::model {

// Digits with an optional minus that fit 64 bits.
bool is_integer(std::string_view text);
// A JSON number.
bool is_decimal(std::string_view text);
bool is_email(std::string_view text);
bool is_url(std::string_view text);
bool is_phone(std::string_view text);
bool is_slug(std::string_view text);

// The microseconds of a time since midnight, and of a moment, which is more than a date, since the
// year 0 in UTC (base/formats.hpp).
std::int64_t time_of(std::string_view text);
std::int64_t moment_of(std::string_view text);

// Reads "90s", "15m", "2h", "14d".
std::optional<std::uint32_t> seconds_of(std::string_view duration);

// Reads "500KB", "25MB", "1GB": powers of 1024.
std::optional<std::uint64_t> bytes_of(std::string_view size);

// True if the brackets and parentheses of a regular expression are closed. PostgreSQL checks the
// rest.
bool is_balanced_pattern(const std::string& pattern);

// Characters, not bytes.
std::size_t length(std::string_view text);
// True if the text is empty or has only spaces and line breaks.
bool is_blank(std::string_view text);

bool is_text(FieldType type);    // string, text, email, url, phone, slug
bool is_number(FieldType type);  // integer, number, decimal, float, money
bool is_dated(FieldType type);   // date, datetime

// PostgreSQL input text of a JSON value that a field of this kind can hold (its length, least and
// greatest value and digits after the point included; its pattern is for PostgreSQL), or what is
// wrong with it. Not for null, and of refs only uuids.
struct Converted {
    std::optional<std::string> text;
    std::string problem;  // "must be a date like 2024-12-31"
};
Converted pg_text(const Field& field, const contract::Value& value);

}  // namespace svc::model
