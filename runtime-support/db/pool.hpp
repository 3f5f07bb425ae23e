// PostgreSQL over libpq in pipeline mode. Each connection carries many exchanges in flight; an
// exchange is one or a few statements and one Sync: one round trip, one implicit transaction of its
// own.
//
// What must stay true: no BEGIN on a pooled connection; one Sync an exchange, or a batch of reads;
// an answer only once its Sync came back; a connection that is not idle at ReadyForQuery is closed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "http/task.hpp"
#include "pq/sql_error.hpp"
#include "svc/entity.hpp"

namespace svc::db {

// A parameter in text form; null: SQL null. Views: they live until run() returns.
using Param = std::optional<std::string_view>;

// A column of a result, as PostgreSQL describes it.
struct ResultColumn {
    std::string_view name;
    unsigned type = 0;  // its oid
};

// Receives the rows of one statement on the connection's reader, while the result is alive.
class RowSink {
  public:
    virtual ~RowSink() = default;
    virtual void row(const Row& row) = 0;
    // Before the first row, and if there is none, if describes(): for statements whose columns
    // are not known beforehand.
    virtual void columns(std::span<const ResultColumn>) {}
    virtual bool describes() const { return false; }
    // True if a row had to be left out and the following rows would be left out too.
    virtual bool enough() const { return false; }
    // The sink may get its rows again, if the exchange is sent again.
    virtual bool forgets() const { return false; }
};

// `statement.name` is its identity on a connection: prepared lazily, under that name, once. A name
// that begins with '?' is prepared under a name made from its text, and forgotten when it is old
// (dynamic SQL).
inline constexpr std::size_t kDynamicStatements = 128;  // kept by a connection

struct Command {
    Statement statement;
    std::span<const Param> params;
    RowSink* sink = nullptr;  // none: rows are counted only
    // Work beside that of reading one row by its id. Light exchanges share a connection, which
    // makes batches; heavy ones are spread over all of them.
    unsigned weight = 1;
    // Passes each row on as it arrives and stores none, for answers that may be large. If the
    // statement fails, the sink may have got some rows.
    bool row_by_row = false;
    // For the last command of a slow exchange that only reads and has no final command: if its sink
    // has enough rows, the exchange succeeds and the connection is closed, which stops PostgreSQL.
    bool ends_early = false;
};

// The last statement of an exchange. Its parameters depend on the results of the others. It records
// the answer in the same transaction.
class FinalCommand {
  public:
    virtual ~FinalCommand() = default;
    virtual Statement statement() const = 0;
    // Called after the others have run, on the connection's reader; not if one failed. `rows`: the
    // rows of the last of them, as in Outcome. The views must live until run_slow() returns.
    virtual std::span<const Param> params(std::size_t rows) = 0;
};

// The error of a failed exchange, from PostgreSQL or the pool. The pool reports "08006" if the
// connection was lost, and "53300" if it is full.
using pq::SqlError;

// Small: it is moved through a dozen coroutines, and most exchanges have no error.
struct Outcome {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    bool ok = false;
    std::size_t rows = 0;        // of the last command: returned, or affected where it returns none
    std::size_t failed = kNone;  // where !ok: index of the command; none: the commit
    std::unique_ptr<SqlError> sql_error;  // where !ok

    const SqlError& error() const;  // an empty error if there is none
    SqlError& make_error();         // made here if there is none
    bool lost() const;
};

// The share of the slow connections that exchanges of a kind may have. Half: SQL of developers,
// which may run until its time-out; the other half stays for statements of svc.
enum class Share : std::uint8_t { all, half };

// The party that slow connections are shared between: hashes, 0 if it is not counted.
struct Party {
    std::size_t caller = 0;   // may have half of them; of Share::half a quarter
    std::size_t address = 0;  // may have all but one
};

// How a slow exchange runs.
struct Slow {
    FinalCommand* final_command = nullptr;
    Share share = Share::all;
    Party party = {};
    // If this client hangs up, the exchange fails with 57014: it is taken out of the queue or
    // cancelled in PostgreSQL. Null: it runs to its end.
    http::Exchange* client = nullptr;
};

struct PoolSettings {
    std::string url;               // libpq connection string or URI
    unsigned connections = 3;      // opened as needed
    std::size_t max_queue = 2000;  // exchanges waiting or in flight; beyond: 53300 at once
    std::chrono::milliseconds slow_patience{10'000};  // for a slow connection; beyond: 53300
    std::chrono::milliseconds idle{
        60'000};  // then a connection is closed, but the first of its kind
};

// Used on the one thread that runs `io`. It must outlive its exchanges: exchanges that still wait
// or run when the pool is destroyed are dropped, and their coroutines are unwound, not resumed.
class Pool {
  public:
    Pool(asio::io_context& io, PoolSettings settings);
    ~Pool();

    // Opens one connection; throws std::runtime_error with libpq's words.
    Task<> open();
    // Starts to open it before open() is called, so two pools connect in the time of one.
    void begin();
    // Runs the commands under one Sync. Never throws for what PostgreSQL answers. An exchange that
    // was not sent when a connection is lost is sent on another; one that was sent answers 08006.
    Task<Outcome> run(std::span<const Command> commands);
    // The same for commands that only read, quickly. The first is the opening: it sets what the
    // others depend on, such as the identity, regardless of what another exchange has set. Reads
    // that arrive together share one Sync. Where several in a row have the same opening, PostgreSQL
    // runs it once. An error reaches only the exchange that causes it; those after it are sent
    // again.
    Task<Outcome> read(std::span<const Command> commands);
    // Runs a slow statement (aggregate, search, bulk) on separate connections, one at a time on
    // each, so that it blocks nobody. The party with the fewest running statements is next. A
    // statement that gets no connection within the configured time answers 53300. So does, at once,
    // a statement of a party that has too many in the queue. With a `final_command` the connection
    // is held, and its transaction open, for one more round trip.
    Task<Outcome> run_slow(std::span<const Command> commands, const Slow& how = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::db
