// A group of connections that share a queue: the fast ones of a pool, or the slow ones.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.hpp"
#include "db/connector.hpp"

namespace svc::db {

struct LaneSettings {
    std::string url;
    std::size_t connections = 1;  // at most
    std::size_t full = 1;         // weight in flight on one before the next takes its turn
    // If set: a connection has one exchange at a time, and an exchange that gets no connection
    // within this time is refused.
    std::chrono::milliseconds patience{0};
    // All connections but the first are closed after this time without use.
    std::chrono::milliseconds idle{60'000};
};

inline constexpr std::string_view kTooMuchWords =
    "The server is too busy right now. Try again soon.";

class Lane final : public Connection::Owner {
  public:
    // The submitter raises `count`; the lane lowers it when an exchange ends.
    Lane(asio::io_context& io, LaneSettings settings, std::size_t& count)
        : io_(io), settings_(std::move(settings)), count_(count), timer_(io), idle_timer_(io) {}
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void submit(RequestPtr request);
    // True if the party has as many exchanges in the queue as it may have; further ones are
    // refused.
    bool holds_enough(const Party& party) const;
    // Removes the exchange from the queue, or cancels it, because nobody waits for it any more. No
    // effect if it has ended.
    void give_up(std::uint64_t ticket);
    // Starts to open a connection, unless one is being opened already or there are enough.
    void grow();

    void writable() override { pump(); }
    void closed(Connection& connection) override;
    void again(RequestPtr request) override;
    void finished() override { --count_; }

  private:
    using Clock = std::chrono::steady_clock;

    void pump();
    void pump_one_each();
    Connection* choose(unsigned weight) const;
    Connection* idle() const;
    bool has_its_share(const Request& request) const;
    bool has_its_share(const Party& party) const;
    std::size_t running(const Party& party, std::size_t Party::*part) const;
    std::deque<RequestPtr>::iterator next();
    void close_idle_later();
    void close_idle();
    void watch();
    void refuse_late();
    void refuse(std::vector<RequestPtr> requests, std::string_view sqlstate,
                std::string_view message, const std::string& detail);
    void connected(PGconn* conn, std::string words);
    void fail_to_connect(const std::string& words);

    asio::io_context& io_;
    LaneSettings settings_;
    std::size_t& count_;
    std::deque<RequestPtr> waiting_;
    std::vector<std::shared_ptr<Connection>> connections_;
    std::shared_ptr<Connector> connecting_;  // one attempt at a time
    bool refused_ = false;                   // the last attempt failed
    Clock::duration back_off_{0};            // before the next attempt; zero after a success
    asio::steady_timer timer_;               // until the first that waits has waited too long
    bool watching_ = false;
    asio::steady_timer idle_timer_;  // until the next check for unused connections
    bool looks_for_idle_ = false;
    // The thread for cancellations, because a cancellation waits for PostgreSQL. Made with the
    // first one.
    std::optional<asio::thread_pool> cancels_;
};

}  // namespace svc::db
