// Rows written one by one, each in a transaction of its own, as the app's own rules, policies and
// change records have it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/database/database.hpp"
#include "base/words.hpp"
#include "operate/row/actor.hpp"

namespace svc::devapi {

struct RowWrite {
    std::string id;    // empty: of an insert that sends none
    std::string data;  // JSON object as sent; empty: of a delete or restore
};

struct RowsRequest {
    enum class Op : std::uint8_t { insert, update, remove, restore } op = Op::insert;
    std::string table;
    std::vector<RowWrite> rows;
    bool shown = true;  // returns the rows, without policies: for members who may read
};

struct RowOutcome {
    std::string id;    // may be empty if nothing was made
    std::string row;   // JSON; empty: none, or left out
    std::string code;  // of the refusal; empty: it was written
    std::string message;
    std::string field;
};

struct RowsOutcome {
    std::vector<RowOutcome> rows;
    bool truncated = false;       // rows beyond 16 MB were left out
    std::string error, sqlstate;  // set where no row was tried
};

// Blocking.
RowsOutcome write_rows(const AppDatabase& database, const Actor& actor, const RowsRequest& wanted);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::RowsRequest::Op> {
    static constexpr std::array<std::string_view, 4> kAll = {"insert", "update", "delete",
                                                             "restore"};
};
