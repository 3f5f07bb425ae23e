// The periodic work for streams: pings, and the end of streams that may not go on.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "feed/stream/account_changes.hpp"
#include "feed/stream/stream_set.hpp"

namespace svc::feed {
namespace {

constexpr std::uint64_t kPingPause = 15;  // seconds
constexpr std::uint64_t kAskPause =
    60;  // whether a session still stands, where nobody said otherwise
constexpr std::chrono::seconds kStuckMost{30};

}  // namespace

void StreamSet::tick() {
    timer_.expires_after(std::chrono::seconds(1));
    timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& fault) {
        const auto self = weak.lock();
        if (fault || !self) return;
        auto* stream_set = static_cast<StreamSet*>(self.get());
        ++stream_set->second_;
        stream_set->ping_.clear();
        for (const ListenerPtr& listener : std::vector<ListenerPtr>(stream_set->listeners_))
            if (listener->stream) stream_set->look_after(listener);
        stream_set->tick();
    });
}

void StreamSet::look_after(const ListenerPtr& listener) {
    const auto now = std::chrono::steady_clock::now();
    if (listener->stuck && now - listener->stuck_since >= kStuckMost) {
        Counts::add(listener->counts().slow);
        return leave(listener);
    }
    const Caller& caller = listener->what().caller;
    if (!in_.keys.has(caller.key->id)) return leave(listener);
    // Spread over the time by where they came in.
    if ((second_ + listener->index) % kAskPause == 0 && !caller.session_hash.empty())
        asio::co_spawn(in_.io, ask_whether_allowed(listener), asio::detached);
    if ((second_ + listener->born) % kPingPause != 0 || listener->since || listener->reading)
        return;
    if (!newest_) return;
    if (ping_.empty()) ping_ = in_.cursors.seal(*newest_);
    listener->ping(ping_);
    pump(listener);
}

// Something about this account has changed. What comes after that may be for others, so its streams
// wait. Whoever has no session leaves the list at once.
void StreamSet::ask_again(const std::string& user) {
    std::vector<ListenerPtr> theirs;
    for (const ListenerPtr& listener : listeners_)
        if (listener->is_of(user)) theirs.push_back(listener);
    for (const ListenerPtr& listener : theirs) ask(listener);
}

void StreamSet::ask(const ListenerPtr& listener) {
    ++listener->asked;
    asio::co_spawn(in_.io, go_on_if_allowed(listener), asio::detached);
}

// Its account, by the part of the ring that it has not looked at.
bool StreamSet::may_have_changed(const Listener& listener) const {
    if (!listener.what().caller.user) return false;
    if (listener.position < ring_.begin()) return true;
    for (std::uint64_t position = listener.position; position < ring_.end(); ++position) {
        const auto user = account_of(*ring_.at(position));
        if (user && listener.is_of(*user)) return true;
    }
    return false;
}

// If the right to it is unknown, the stream ends; its client connects again and is identified
// again.
Task<> StreamSet::go_on_if_allowed(ListenerPtr listener) {
    const auto self = shared_from_this();
    const bool answered = co_await ask_whether_allowed(listener);
    --listener->asked;
    if (!listener->stream) co_return;
    if (!answered) co_return leave(listener);
    pump(listener);
}

// A caller whose identity has changed reconnects with the new one: the client resumes, and gets a
// reset.
Task<bool> StreamSet::ask_whether_allowed(ListenerPtr listener) {
    const auto self = shared_from_this();
    const Caller& caller = listener->what().caller;
    if (caller.session_hash.empty()) {
        leave(listener);
        co_return true;
    }
    const auto found = co_await in_.sessions.read_by_hash(caller.session_hash);
    if (!found) co_return false;
    const auto& now = *found;
    const bool same = now && !now->enrol_only && now->names == caller.names &&
                      now->claims == caller.claims && now->user->id == caller.user->id;
    if (!same) leave(listener);
    co_return true;
}

// Ends a stream in the middle of a frame, or with frames that may be for others by now; its client
// resumes after the last whole frame.
void StreamSet::drain(const ListenerPtr& listener) {
    // As in leave(), which comes below.
    const ListenerPtr held = listener;  // NOLINT(performance-unnecessary-copy-initialization)
    const bool withheld = held->reading && held->asked > 0;
    const bool between = !withheld && held->send() == Outgoing::Sent::all;
    const Cursor& at = held->since ? held->since : newest_;
    if (between && at) {
        const std::string sealed = in_.cursors.seal(*at);
        if (held->stream->hands_on()) {
            const std::string& kept = held->what().request;
            held->stream->hand_off(in_.handover.request(kept, sealed + held->mark()));
        } else {
            held->ping(sealed);
            held->send();
        }
    }
    leave(held);
}

}  // namespace svc::feed
