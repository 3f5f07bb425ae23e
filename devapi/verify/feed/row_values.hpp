// Compares the rows that callers get with the rows of the table: exactly the columns that they may
// read, with PostgreSQL's values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "verify/clone/clone_connection.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

class RowValues {
  public:
    // They outlive it.
    RowValues(CloneConnection& db, const model::Entity& entity);

    // "no field cost", "the field cost", "another cost than the row had"; "" if all values are
    // right. Both are objects of JSON; `should` is to_jsonb() of the row.
    std::string wrong(const VerifyCaller& caller, std::string_view sent, const std::string& should);
    // True if the caller would see a difference between these two.
    bool differ(const VerifyCaller& caller, const std::string& one, const std::string& other);

  private:
    std::vector<std::string> columns_of(const VerifyCaller& caller) const;
    // The first of these columns that is not the same in both, as values of the table.
    std::string different(const std::string& one, const std::string& other,
                          const std::vector<std::string>& columns);

    CloneConnection& db_;
    const model::Entity& entity_;
    const std::string table_;
    // Earlier results: most callers get the same.
    std::map<std::tuple<std::string, std::string, std::string>, std::string> known_;
};

}  // namespace svc::devapi::verification
