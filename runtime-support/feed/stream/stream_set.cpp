#include "feed/stream/stream_set.hpp"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "feed/stream/account_changes.hpp"

namespace svc::feed {
namespace {

constexpr std::uint64_t kPingFrom = 15;  // seconds

template <class Key>
void forget(std::unordered_map<Key, std::vector<Listener*>>& index, const Key& key,
            Listener* listener) {
    const auto found = index.find(key);
    if (found == index.end()) return;
    std::erase(found->second, listener);
    if (found->second.empty()) index.erase(found);
}

}  // namespace

void StreamSet::start() {
    hub_->attach(in_.io, weak_from_this());
    tick();
}

Task<Cursor> StreamSet::sync() {
    const auto initiate = [this](auto handler) {
        auto held = std::make_shared<decltype(handler)>(std::move(handler));
        hub_->sync(in_.io, [this, held](Cursor newest) {
            if (newest) newest_ = newest;
            (*held)(std::move(newest));
        });
    };
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(Cursor)>(
        initiate, asio::use_awaitable);
}

void StreamSet::begin(ListenerPtr listener, std::unique_ptr<http::Stream> stream,
                      std::uint64_t position, Cursor at) {
    const Subscription& what = listener->what();
    listener->stream = std::move(stream);
    listener->position = position;
    listener->since = at;
    enter(listener);
    const std::weak_ptr<Listener> weak = listener;
    listener->stream->watch([this, weak] {
        if (const auto held = weak.lock()) leave(held);
    });
    listener->stream->at_drain([this, weak] {
        if (const auto held = weak.lock()) drain(held);
    });
    // A client that breaks off before the first event resumes from here.
    listener->out.text = "retry: 1000\n";
    const std::string sealed = in_.cursors.seal(*at);
    const bool reset = what.resumes && what.from.reset != Reset::none;
    if (reset)
        listener->reset(what.from.reset, sealed);
    else if (!what.resumes)
        listener->out.text.append("id: ").append(sealed).append(what.mark).append("\n\n");
    else
        listener->out.text += '\n';
    if (what.resumes && !reset) {
        listener->since = make_cursor(what.from.cursor);
        // What it reads in the database says nothing of accounts.
        if (may_have_changed(*listener)) ask(listener);
        if (listener->stream) read_on(listener);
        return;
    }
    pump(listener);
}

void StreamSet::enter(const ListenerPtr& listener) {
    listener->index = listeners_.size();
    listener->open.emplace(listener->counts(), listener->kind());
    listener->born = kPingFrom - second_ % kPingFrom;
    listeners_.push_back(listener);
    for (const Part& part : listener->what().parts) {
        by_topic_[part.topic].push_back(listener.get());
        if (part.reader) by_reader_[part.reader->id].push_back(listener.get());
    }
}

void StreamSet::leave(const ListenerPtr& listener) {
    if (!listener->stream) return;
    // The list may hold the last one, and `listener` be its entry there.
    const ListenerPtr held = listener;  // NOLINT(performance-unnecessary-copy-initialization)
    held->stream = nullptr;
    held->open.reset();
    for (const Part& part : held->what().parts) {
        forget(by_topic_, part.topic, held.get());
        if (part.reader) forget(by_reader_, part.reader->id, held.get());
    }
    listeners_[held->index] = std::move(listeners_.back());
    listeners_[held->index]->index = held->index;
    listeners_.pop_back();
}

void StreamSet::take(const Events& events, const Cursor& newest) {
    newest_ = newest;
    std::vector<ListenerPtr> woken;
    for (const EventPtr& event : events) {
        ring_.push(event);
        if (const auto user = account_of(*event))
            ask_again(std::string(*user));
        else
            concern(*event, ring_.end() - 1, woken);
    }
    for (const ListenerPtr& listener : woken)
        if (listener->stream) pump(listener);
}

// A listener that has seen everything before this event continues from here.
void StreamSet::concern(const Event& event, std::uint64_t position,
                        std::vector<ListenerPtr>& woken) {
    const auto touch = [&](Listener* listener) {
        if (listener->since) return;
        listener->since = event.since;
        listener->position = position;
        woken.push_back(listeners_[listener->index]);
    };
    if (event.is_message()) {
        const auto found = by_topic_.find(event.topic);
        if (found != by_topic_.end()) std::ranges::for_each(found->second, touch);
        return;
    }
    for (const auto& [reader, seen] : event.seen) {
        const auto found = by_reader_.find(reader);
        if (found != by_reader_.end()) std::ranges::for_each(found->second, touch);
    }
}

// Takes frames from the ring. False where it has passed on: the rest is in the database.
bool StreamSet::fill(Listener& listener) {
    if (listener.position < ring_.begin()) return false;
    while (listener.position < ring_.end() && !listener.is_full() && listener.asked == 0) {
        const EventPtr& event = ring_.at(listener.position);
        listener.take(event, listener.position + 1);
        // The account may have changed since its session was checked, before the stream began.
        // Each of its streams comes here by itself.
        const auto user = account_of(*event);
        if (user && listener.is_of(*user)) ask(listeners_[listener.index]);
    }
    if (listener.position == ring_.end() && listener.out.empty()) listener.since = nullptr;
    return true;
}

void StreamSet::pump(const ListenerPtr& listener) {
    if (listener->reading || listener->stuck) return;
    if (listener->pace.is_due()) listener->look_at_client();
    if (listener->pace.is_behind()) return delay(listener);
    for (;;) {
        const Outgoing::Sent sent = listener->send();
        if (sent == Outgoing::Sent::broken) return leave(listener);
        if (sent == Outgoing::Sent::part) return stick(listener);
        if (!listener->since || listener->asked > 0) return;
        const bool in_ring = fill(*listener);
        if (!listener->stream) return;  // what it was to be told is that it may not go on
        if (!in_ring) return read_on(listener);
    }
}

void StreamSet::stick(const ListenerPtr& listener) {
    listener->stuck = true;
    listener->stuck_since = std::chrono::steady_clock::now();
    const std::weak_ptr<Listener> weak = listener;
    listener->stream->wait_writable([this, weak] {
        const auto held = weak.lock();
        if (!held || !held->stream) return;
        held->stuck = false;
        pump(held);
    });
}

void StreamSet::read_on(const ListenerPtr& listener) {
    listener->reading = true;
    asio::co_spawn(in_.io, read_from_database(listener), asio::detached);
}

void StreamSet::lost(const Cursor& newest) {
    newest_ = newest;
    ring_.forget();
    const std::string sealed = in_.cursors.seal(*newest);
    for (const ListenerPtr& listener : std::vector<ListenerPtr>(listeners_)) {
        // A listener that has not read the ring yet reads the database, which reports the gap.
        if (listener->reading || listener->since) continue;
        listener->reset(Reset::cursor_too_old, sealed);
        pump(listener);
    }
    // The gap may hide changes of accounts.
    for (const ListenerPtr& listener : std::vector<ListenerPtr>(listeners_))
        if (listener->stream && listener->what().caller.user) ask(listener);
}

StreamSets::StreamSets(const StreamContext& in, const std::shared_ptr<Hubs>& hubs)
    : at_once_(std::make_shared<StreamSet>(in, std::shared_ptr<Hub>(hubs, &hubs->of(false)))),
      asked_(std::make_shared<StreamSet>(in, std::shared_ptr<Hub>(hubs, &hubs->of(true)))) {}

void StreamSets::start() const {
    at_once_->start();
    asked_->start();
}

}  // namespace svc::feed
