// Writes several rows in one exchange.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "data/write/drafts.hpp"
#include "data/write/upsert.hpp"

namespace svc::data::write {

// The data of an exchange of several rows. It keeps its address until the exchange has ended.
struct Batch {
    const Call& call;
    Drafts drafts;
    std::optional<Upsert> upsert;
    std::deque<std::string> texts = {};
    std::deque<QueryText> selects = {};
    std::deque<std::vector<db::Param>> params = {};
    std::vector<db::Command> commands = {};
    std::size_t commands_a_row = 1;
    bool repeated = false;

    bool one() const { return !drafts.array; }
    WriteContext context() const;
    void add(const Statement& statement, std::span<const db::Param> values, db::RowSink* sink);
    void add_select(QueryText&& select, db::RowSink* sink);
};

// Answers with the error of the row whose command failed, unless the session has ended.
Handled refuse_row(const Batch& batch, const db::Outcome& outcome);

// PostgreSQL refused to return a row: its creator may not read it, or may not make it. So the rows
// are made without being returned, which shows which case it is; readable rows are read afterwards.
Task<Handled> create_unseen(Batch& batch);

}  // namespace svc::data::write
