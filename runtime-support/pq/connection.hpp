// One connection to PostgreSQL that blocks its thread: for programs and threads that may wait. Code
// that serves requests uses db/ instead.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace svc::pq {

struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, Clear>;

// True if the statement returned rows or succeeded without rows.
bool done(const Result& result);

// A parameter in text form; none: null.
using Param = std::optional<std::string_view>;

class Connection {
  public:
    // `url`: a connection string or URI. Texts are UTF-8, and notices are dropped. open() is false
    // if the server cannot be reached.
    explicit Connection(const std::string& url);

    bool open() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
    // libpq's text of the last failure.
    std::string error_message() const { return PQerrorMessage(connection_.get()); }
    PGconn* handle() const { return connection_.get(); }

    // Runs any number of statements. Returns the last result, or that of the first failed
    // statement.
    Result run(const std::string& statements) const;
    // Runs one statement, with the protocol that allows only one.
    Result run_one(const std::string& statement, std::span<const Param> params = {}) const;
    // Starts the statement; PQgetResult() then returns its rows one by one. False if the connection
    // is lost.
    bool send_one(const std::string& statement, std::span<const Param> params) const;
    // Asks PostgreSQL to cancel the running statement.
    void cancel() const;

  private:
    struct Finish {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };
    std::unique_ptr<PGconn, Finish> connection_;
};

}  // namespace svc::pq
