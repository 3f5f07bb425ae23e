// The functions that generated code calls to print rows. The runtime library does the work, so
// generated files stay small and compile quickly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace svc {

// One row of a PostgreSQL result in text form. A view: it lives as long as the result.
class Row {
  public:
    Row(const void* result, int index) : result_(result), index_(index) {}
    bool null(int column) const;
    std::string_view text(int column) const;  // empty when null
    std::uint32_t type(int column) const;     // PostgreSQL's oid; 0 if nobody said

  private:
    const void* result_;  // PGresult; libpq stays out of this header
    int index_;
};

// Row printers: append `key` (already JSON, with its comma or brace) and the column's value, null
// as null. One per shape that differs in JSON.
using Out = std::string;
void write_text(Out& out, std::string_view key, const Row& row, int column);     // escaped
void write_plain(Out& out, std::string_view key, const Row& row, int column);    // uuid, date, time
void write_number(Out& out, std::string_view key, const Row& row, int column);   // integer, money
void write_decimal(Out& out, std::string_view key, const Row& row, int column);  // NaN as null
void write_boolean(Out& out, std::string_view key, const Row& row, int column);
void write_timestamp(Out& out, std::string_view key, const Row& row, int column);  // …T…Z
void write_json(Out& out, std::string_view key, const Row& row, int column);       // as it is
void write_key(Out& out, std::string_view key, const Row& row, int column);  // as PostgreSQL has it
void write_tags(Out& out, std::string_view key, const Row& row, int column);  // array of text

}  // namespace svc
