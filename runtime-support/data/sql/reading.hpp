// Reads a caller's statement by PostgreSQL's own grammar. The reading is the same for every caller
// and app. It checks the statement against lists of what is allowed; the guards decide what the
// caller may use.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/query_text.hpp"

namespace svc::data::sql {

using NameSet = std::set<std::string, std::less<>>;

struct Reading {
    enum class Kind { query, insert, update, remove };
    Kind kind = Kind::query;
    std::size_t begin = 0, end = 0;  // of the statement, without what stands around it
    std::size_t params = 0;          // the greatest number
    NameSet tables;                  // that are read, with names that WITH gives
    // Names after a dot that the statement does not give itself: columns of tables.
    NameSet columns;
    std::string target;  // of what writes
    std::size_t target_at = 0;
    std::vector<std::string> written;  // columns that are set, as they are sent
    // Names that may mean a column of the target table. A field that was removed from the contract
    // still has its column there. Also the place of a star in RETURNING (0: none).
    NameSet of_target;
    std::size_t star_at = 0;
};

// 400 PARAMS_INVALID, with PostgreSQL's code if it has one. What was read is kept by its text.
// `sql` is UTF-8 without U+0000, of 16 KiB at most.
std::shared_ptr<const Result<Reading>> reading_of(const std::string& sql);

}  // namespace svc::data::sql
