// Streams whose clients leave bytes unread. The others would wait for what is written to them, so
// each is served about once a second, with little, until its client reads again.
#include <algorithm>

#include "feed/stream/stream_set.hpp"

namespace svc::feed {
namespace {

constexpr unsigned kTurns = 20;  // a second, each for a part of them
constexpr std::chrono::milliseconds kTurn{1000 / kTurns};

}  // namespace

void StreamSet::delay(const ListenerPtr& listener) {
    if (listener->late) return;
    listener->late = true;
    late_.push_back(listener);
    if (late_.size() == 1) wait_for_turn();
}

void StreamSet::wait_for_turn() {
    late_timer_.expires_after(kTurn);
    late_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& fault) {
        const auto self = weak.lock();
        if (fault || !self) return;
        static_cast<StreamSet*>(self.get())->serve_late();
    });
}

void StreamSet::serve_late() {
    for (std::size_t left = (late_.size() + kTurns - 1) / kTurns; left > 0; --left) {
        const ListenerPtr listener = late_.front().lock();
        late_.pop_front();
        if (!listener || !listener->stream) continue;
        listener->look_at_client();
        if (listener->pace.is_behind() && !listener->reading && !listener->stuck) {
            late_.push_back(listener);
            send_little(listener);
        } else {
            listener->late = false;
            pump(listener);
        }
    }
    if (!late_.empty()) wait_for_turn();
}

// What it does with these bytes shows whether its client reads.
void StreamSet::send_little(const ListenerPtr& listener) {
    if (listener->since && listener->asked == 0 && !fill(*listener)) return read_on(listener);
    if (!listener->stream) return;
    const Outgoing::Sent sent = listener->send();
    if (sent == Outgoing::Sent::broken) leave(listener);
    if (sent == Outgoing::Sent::part) stick(listener);
}

}  // namespace svc::feed
