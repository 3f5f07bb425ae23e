// Columns and parameters as the runtime tells them apart: enums that runtime-support/svc has too.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::plan {

// svc::Type
enum class ColumnType : std::uint8_t {
    text,
    integer,
    decimal,
    floating,
    money,
    boolean,
    date,
    time,
    timestamp,
    enumeration,
    tags,
    json,
    uuid,
    key
};

// The function of svc/json.hpp that prints a column into a row: svc::write_text, …
enum class Writer : std::uint8_t {
    text,
    plain,
    number,
    decimal,
    boolean,
    timestamp,
    json,
    key,
    tags
};

}  // namespace svc::plan

// The words of types are stored in svc.managed too.
template <>
struct svc::base::Words<svc::plan::ColumnType> {
    static constexpr std::array<std::string_view, 14> kAll = {
        "text", "integer",   "decimal",     "floating", "money", "boolean", "date",
        "time", "timestamp", "enumeration", "tags",     "json",  "uuid",    "key"};
};

template <>
struct svc::base::Words<svc::plan::Writer> {
    static constexpr std::array<std::string_view, 9> kAll = {
        "text", "plain", "number", "decimal", "boolean", "timestamp", "json", "key", "tags"};
};
