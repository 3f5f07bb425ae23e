// Refusals of rows with the messages of the app's own data routes, which name the field and the
// rule.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "apps/database/database.hpp"
#include "operate/app_connection.hpp"

namespace svc::devapi {

class RowWords {
  public:
    // The contract is read when the first row is refused.
    RowWords(const AppDatabase& database, std::string table);
    ~RowWords();
    RowWords(const RowWords&) = delete;
    RowWords& operator=(const RowWords&) = delete;

    // The message, for a failure of the app's database; sets `column` where it is known which one
    // is at fault.
    std::string message(SqlFailure& failure);
    // A value that its column cannot hold, as JSON: "price takes a whole number of cents, not 'x'".
    // Empty: the contract does not know the column.
    std::string mistyped(const std::string& column, const std::string& value);

  private:
    struct Known;
    const Known& known();

    const AppDatabase& database_;
    const std::string table_;
    std::unique_ptr<Known> known_;
};

}  // namespace svc::devapi
