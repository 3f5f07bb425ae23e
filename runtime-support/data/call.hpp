// One call of a data route, and the functions that every action uses.
#pragma once

#include <span>
#include <string_view>

#include "data/columns.hpp"
#include "data/etag.hpp"
#include "data/file_links.hpp"
#include "data/write/idempotency.hpp"
#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "identity/caller.hpp"
#include "identity/secret/signer.hpp"
#include "route/handled.hpp"
#include "svc/app.hpp"

namespace svc::data {

using route::Handled;

// References into perform()'s own parameters: they outlive every action.
struct Call {
    const Entity& entity;
    std::string_view id;  // empty if the route has none
    http::Exchange& exchange;
    const Caller& caller;
    const App& app;
    db::Pool& pool;
    const identity::Signer& signer;  // of cursors

    Precondition match = {};                                    // If-Match
    std::optional<write::IdempotencyKey> idempotency_key = {};  // Idempotency-Key
    const FileLinks* files = nullptr;  // null: the request did not ask for addresses of files

    Visible visible() const { return visible_columns(entity, caller.principals); }
};

// Each answers the exchange, unless the session has ended.
Task<Handled> list_rows(const Call& call);
Task<Handled> aggregate_rows(const Call& call);
Task<Handled> get_row(const Call& call);

// A write takes locks and fires triggers, so writes are spread over the connections.
inline constexpr unsigned kWriteWeight = 8;

// The caller's identity and the statement, in one exchange; of external rows on the connections for
// slow statements. `weight`: see db::Command.
Task<db::Outcome> run(const Call& call, const Statement& statement,
                      std::span<const db::Param> params, db::RowSink* sink = nullptr,
                      unsigned weight = 1);

// As run, for a quick statement that only reads: it may share a Sync with other reads.
Task<db::Outcome> read(const Call& call, const Statement& statement,
                       std::span<const db::Param> params, db::RowSink* sink, unsigned weight = 1);

// As run, on the connections for slow statements.
Task<db::Outcome> run_slow(const Call& call, const Statement& statement,
                           std::span<const db::Param> params, db::RowSink* sink);

// Sets the header with the version of the row in the answer.
void send_tag(const Call& call, const Visible& visible, std::string_view version);

// Answers an error, for `co_return refuse(…)`.
Handled refuse(const Call& call, const Error& error);
// Answers an outcome that is not ok, unless the session has ended.
Handled refuse(const Call& call, const db::Outcome& outcome);
// Answers why a write found no row: 404 if the caller cannot see the row, 412 if the row does not
// have the requested version, otherwise 403.
Task<Handled> refuse_missing(const Call& call);

}  // namespace svc::data
