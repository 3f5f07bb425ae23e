// Rows as the service's envelope has them, on the terminal.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/table.hpp"

namespace svc::cli {

// {rows, rowCount, fields, truncated}
Table table_of_rows(const nlohmann::json& envelope);
// The table and the line about how many there are; `more` says how to see the rest.
void print_rows(const nlohmann::json& envelope, const char* more);
// A value in one cell.
std::string cell_of(const nlohmann::json& value);

}  // namespace svc::cli
