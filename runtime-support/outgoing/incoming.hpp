// An answer that is read while it comes. The thread of calls fills it; the io thread of the reader
// empties it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "http/task.hpp"
#include "outgoing/fetch.hpp"

namespace svc::outgoing {

class Incoming {
  public:
    // `nudge` makes the thread of calls ask demand().
    Incoming(asio::io_context& io, std::function<void()> nudge);

    // For the reader, on its thread; one wait at a time.
    //
    // Waits until the head is there, or the call has failed, or `most` is over (then a status of 0
    // without an error).
    Task<Fetched> head(std::chrono::milliseconds most);
    struct Piece {
        std::string bytes;   // empty: none came in time, or none will
        bool ended = false;  // no more will come after these
        std::string error;   // of the end: why it is not the answer's own; without credentials
    };
    Task<Piece> next(std::chrono::milliseconds most);
    // Wakes the waiting reader. The call is cancelled at once.
    void cancel();
    bool cancelled() const;

    // For the thread of calls.
    enum class Taken : std::uint8_t { all, later, none };
    enum class Demand : std::uint8_t { none, more, end };
    void begin(const Fetched& head);
    Taken add(std::string_view bytes);
    void end(Fetched fetched);
    Demand demand();

  private:
    // Bytes that wait for their reader; beyond, the sender waits.
    static constexpr std::size_t kRoom = std::size_t{256} << 10;

    std::optional<Piece> take(bool late);
    void wake();
    Task<> wait(std::chrono::steady_clock::time_point until);

    asio::io_context& io_;
    const std::function<void()> nudge_;
    const std::shared_ptr<asio::steady_timer> timer_;  // of the reader's thread

    mutable std::mutex mutex_;  // of all below
    Fetched head_;
    std::string bytes_, error_;
    bool began_ = false, ended_ = false, paused_ = false, cancelled_ = false, reached_ = false;
};

}  // namespace svc::outgoing
