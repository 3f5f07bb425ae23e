// Connections that wait for a server that is starting, bounded in number and time. On the io thread
// alone.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>

#include "http/server.hpp"

namespace svc::devapi {

class WaitingRoom {
  public:
    using Take = std::function<void(http::Connection)>;

    // `refuse` gets each connection that finds the room full or waited too long.
    WaitingRoom(asio::io_context& io, Take refuse);
    ~WaitingRoom();

    void add(http::Connection connection);
    // Removes and returns all waiting connections, in order.
    void empty_into(const Take& take);

  private:
    struct Entry {
        http::Connection connection;
        std::chrono::steady_clock::time_point until;
    };
    void watch();

    asio::steady_timer timer_;
    Take refuse_;
    std::deque<Entry> entries_;  // in the order in which their time ends
};

}  // namespace svc::devapi
