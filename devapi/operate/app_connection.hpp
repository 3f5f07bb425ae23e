// A connection to an app's database for what a developer does there: one transaction at a time,
// with limits of its own, ended with the object.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/sql_state.hpp"
#include "db/pool.hpp"
#include "pq/connection.hpp"
#include "pq/sql_error.hpp"

namespace svc::devapi {

// A statement that PostgreSQL refused.
struct SqlFailure : std::runtime_error, pq::SqlError {
    explicit SqlFailure(const std::string& words) : std::runtime_error(words) { message = words; }
    explicit SqlFailure(pq::SqlError said)
        : std::runtime_error(said.message), pq::SqlError(std::move(said)) {}
    // The app's own database cannot be reached.
    bool lost() const { return base::sqlstate::is_lost(sqlstate) && !external; }
};

// The writer as the app's rules see them.
struct Identity {
    std::string principals = "server";  // names for policies, with commas between
    std::string user_id;                // account; empty: none
    std::string claims;                 // JSON object, or empty
};

class AppConnection {
  public:
    using Param = pq::Param;

    // Throws SqlFailure where the server cannot be reached (08006). Where `gone` becomes true the
    // statement that runs then is cancelled, and fails with 57014.
    explicit AppConnection(const std::string& url, const std::atomic<bool>* gone = nullptr);
    ~AppConnection();
    AppConnection(const AppConnection&) = delete;
    AppConnection& operator=(const AppConnection&) = delete;

    // All of a transaction's statements together may take `limit`.
    void begin(bool read_only, const Identity& identity, std::chrono::seconds limit);
    void commit();
    void roll_back();

    // Runs one statement. `sink` gets the columns, then each row as it arrives. Returns the number
    // of rows that were read or written. Throws SqlFailure.
    std::size_t run(const std::string& sql, std::span<const Param> params = {},
                    db::RowSink* sink = nullptr);
    // The first value of the first row; none if there is no row or it is null.
    std::optional<std::string> value(const std::string& sql, std::span<const Param> params = {});

  private:
    void limit_time();
    void wait();
    void wait_for_bytes(int socket);
    void cancel();
    std::size_t receive(db::RowSink* sink);

    std::optional<pq::Connection> connection_;  // none once it is given up
    const std::atomic<bool>* gone_;
    std::chrono::steady_clock::time_point until_{};
};

}  // namespace svc::devapi
