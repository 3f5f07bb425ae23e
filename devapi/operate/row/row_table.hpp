// A table that developers write rows to: its columns, and what the data of a row may say of them.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "operate/app_connection.hpp"

namespace svc::devapi {

inline constexpr std::chrono::seconds kTimeOfRow{10};  // of one transaction

class RowTable {
  public:
    // Reads the columns. Throws SqlFailure if there is no such table, if it has no column `id`, or
    // if the server cannot be reached.
    RowTable(AppConnection& reader, std::string name);

    const std::string& sql() const { return sql_; }  // its name in SQL
    const std::string& id_type() const { return types_.at("id"); }
    // " where id = $1"
    std::string where_id() const;
    // What an answer shows of a row, as a list of SELECT.
    std::string shown() const;

    // The columns that a JSON object names, each once. Throws SqlFailure for a name that is no
    // column, and for a column that is computed.
    std::vector<std::string> columns_in(const std::string& data) const;
    // Makes the id here if possible, because a caller who may not read the new row cannot get it
    // back. A column for the account is stamped, as in the app's own create.
    std::string completed(std::string data, const std::string& user_id) const;

  private:
    std::vector<std::string> names() const;

    const std::string name_, sql_;
    std::map<std::string, std::string> types_;  // of columns, by name
    std::vector<std::string> generated_;
};

// The columns in SQL, with commas between and `prefix` before each.
std::string column_list(const std::vector<std::string>& columns, const std::string& prefix);

}  // namespace svc::devapi
