// The form of each field type in PostgreSQL, in the runtime's tables and in its printers. One
// table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/model.hpp"
#include "plan/column_type.hpp"

namespace svc::plan {

struct TypeNames {
    std::string_view sql;  // column type and parameter type
    ColumnType type;
    Writer writer;
    std::string_view oid;  // of the SQL type, as in the envelope's `fields`
};

const TypeNames& type_names(model::FieldType type);

// The type of a result's column by the id of its PostgreSQL type; null if answers do not support
// it.
const TypeNames* result_type(std::uint32_t oid);
// Its name in SQL: smallint where result_type() says bigint.
std::string_view result_sql(std::uint32_t oid);

bool is_text(model::FieldType type);     // lengths and patterns apply
bool is_numeric(model::FieldType type);  // min and max are numbers

// The format that a type has beyond its SQL type, as a regular expression. Empty: none.
std::string_view format_pattern(model::FieldType type);

}  // namespace svc::plan
