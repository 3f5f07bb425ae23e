// Opens a connection to PostgreSQL without blocking.
#pragma once

#include <libpq-fe.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "http/task.hpp"

namespace svc::db {

// One attempt to connect. `done` is called once, with a connection in pipeline mode or with libpq's
// error text; never after cancel().
class Connector : public std::enable_shared_from_this<Connector> {
  public:
    using Done = std::function<void(PGconn*, std::string)>;

    Connector(asio::io_context& io, Done done) : descriptor_(io), deadline_(io), done_(done) {}
    ~Connector() { cancel(); }
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;

    // Waits for `delay` first.
    void start(const std::string& url, std::chrono::steady_clock::duration delay);
    void cancel();

  private:
    void begin(const std::string& url);
    void wait(PostgresPollingStatusType status);
    void poll();
    void succeed();
    void fail(std::string words);

    asio::posix::stream_descriptor descriptor_;
    asio::steady_timer deadline_;
    Done done_;
    PGconn* conn_ = nullptr;
};

}  // namespace svc::db
