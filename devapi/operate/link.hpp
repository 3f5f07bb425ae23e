// A connection to an app's database for what a developer does there: one transaction at a time,
// with limits of its own, ended with the object.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "db/pool.hpp"

struct pg_conn;
struct pg_result;

namespace svc::devapi {

// What PostgreSQL refused.
struct SqlFailure : std::runtime_error {
    explicit SqlFailure(const std::string& words) : std::runtime_error(words) {}
    std::string sqlstate, detail, hint, column, constraint, table;
    std::size_t position = 0;  // character of the statement, from 1; 0: no place
    bool external = false;     // said by the database of an external entity
};

// How an app's rules see the one who writes.
struct Acting {
    std::string principals = "server";  // names for policies, with commas between
    std::string user_id;                // account; empty: none
    std::string claims;                 // JSON object, or empty
};

class Link {
  public:
    using Param = std::optional<std::string_view>;

    // Throws SqlFailure where the server cannot be reached (08006). Where `gone` becomes true the
    // statement that runs then is cancelled, and fails with 57014.
    explicit Link(const std::string& url, const std::atomic<bool>* gone = nullptr);
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // All of a transaction's statements together may take `limit`.
    void begin(bool read_only, const Acting& acting, std::chrono::seconds limit);
    void commit();
    void roll_back();

    // One statement. Each row goes to `sink` as it arrives, and the columns before them. Returns
    // how many rows were read or written. Throws SqlFailure.
    std::size_t run(const std::string& sql, std::span<const Param> params = {},
                    db::RowSink* sink = nullptr);
    // The first value of the first row; none where there is no row or it is null.
    std::optional<std::string> value(const std::string& sql, std::span<const Param> params = {});

  private:
    void limit_time();
    void wait();
    void wait_for_bytes(int socket);
    void cancel();
    std::size_t receive(db::RowSink* sink);

    std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
    const std::atomic<bool>* gone_;
    std::chrono::steady_clock::time_point until_{};
};

}  // namespace svc::devapi
