// One stream: its topics, and its position in the ring. It holds only the frames that are being
// sent, and of a client that takes nothing only the rest of one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "feed/counts.hpp"
#include "feed/hub/hubs.hpp"
#include "feed/reader/reader.hpp"
#include "feed/stream/client_pace.hpp"
#include "feed/stream/outgoing.hpp"
#include "http/stream.hpp"

namespace svc::feed {

// One topic of a stream.
struct Part {
    std::string topic;
    ReaderPtr reader;  // of row-changed topics; null for other topics
};

// The result of a request to subscribe.
struct Subscription {
    std::vector<Part> parts;
    bool with_topic = false;  // frames say their topic
    Caller caller;
    std::string mark;           // mark_of(caller)
    CursorSealer::Opened from;  // its earlier position, if it has one
    bool resumes = false;       // `from` is set
    Hubs::Ticket ticket;
    std::string request;  // its own, for a process that takes the stream over
};

class Listener {
  public:
    // `counts` outlives it.
    Listener(Subscription what, Counts& counts) : what_(std::move(what)), counts_(counts) {}

    const Subscription& what() const { return what_; }
    const std::string& mark() const { return what_.mark; }
    // Looks at the event, whose successor stands at this position. It adds a frame only if the
    // stream sees the event, and as its reader sees it.
    void take(const EventPtr& event, std::uint64_t next);
    // Enough is there to be sent before it takes more.
    bool is_full() const { return out.has_body() || out.size() >= kFrames; }
    // Each appends a frame.
    void ping(std::string_view sealed);
    void reset(Reset why, std::string_view sealed);
    StreamKind kind() const;
    Counts& counts() const { return counts_; }
    bool is_of(std::string_view user) const {
        return what_.caller.user && what_.caller.user->id == user;
    }

    // Sends the bytes in `out`. If the client does not take all, the events of which no byte was
    // sent come again.
    Outgoing::Sent send();
    // Asks the kernel whether its client reads.
    void look_at_client();

    std::unique_ptr<http::Stream> stream;  // null: it has ended, or has not begun
    std::optional<OpenStream> open;        // while it has one
    Outgoing out;
    ClientPace pace;
    bool late = false;           // its set serves it now and then
    std::uint64_t position = 0;  // of the first event that it has not looked at
    Cursor since;                // the cursor at `position`; null: it has looked at all events
    bool reading = false;        // it is served from the database
    std::chrono::steady_clock::time_point stuck_since;  // while `stuck`
    bool stuck = false;
    unsigned asked = 0;      // so many readings of its session are awaited, and it is sent nothing
    std::size_t index = 0;   // in its set
    std::uint64_t born = 0;  // second of its set

  private:
    // Bytes that are sent at once.
    static constexpr std::size_t kFrames = std::size_t{8} << 10;

    void append(const EventPtr& event, const Part& part);
    void append_seen(const EventPtr& event, Seen seen, std::string_view mask);

    Subscription what_;
    Counts& counts_;
};

using ListenerPtr = std::shared_ptr<Listener>;

}  // namespace svc::feed
