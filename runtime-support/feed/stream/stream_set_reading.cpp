// Streams that are served from the database: those that come back, and those that were too slow for
// the ring.
#include <boost/asio/redirect_error.hpp>

#include "feed/stream/stream_set.hpp"

namespace svc::feed {
namespace {

constexpr unsigned kRecords = 200;
// Of a page. A slow client's page is read again for each piece that it takes, so it is smaller.
constexpr std::size_t kBytes = std::size_t{128} << 10, kSlowBytes = std::size_t{16} << 10;
constexpr std::chrono::seconds kStuck{30};
constexpr std::chrono::milliseconds kSessionPause{5};

// Its topics as an array of PostgreSQL. A topic of rows may have messages too.
std::string topics_of(const Subscription& what) {
    std::string out;
    for (const Part& part : what.parts)
        out.append(out.empty() ? "{\"" : ",\"").append(part.topic).append("\"");
    return out + '}';
}

}  // namespace

// Reads until the ring has what follows.
Task<> StreamSet::read_from_database(ListenerPtr listener) {
    const auto self = shared_from_this();
    for (;;) {
        const Cursor until = co_await sync();
        if (!listener->stream) co_return;
        if (!until) co_return leave(listener);
        listener->position = ring_.end();
        const bool read = co_await read_until(listener, until);
        if (!listener->stream) co_return;
        if (!read) co_return leave(listener);
        listener->since = until;
        if (listener->position >= ring_.begin()) break;
    }
    listener->reading = false;
    pump(listener);
}

// No page is kept: what the client does not take at once is read again. So a stream holds one frame
// at most. While it waits for the client, another stream may read.
Task<bool> StreamSet::read_until(ListenerPtr listener, Cursor until) {
    const ReadersOf readers = [listener](const Entity& entity) {
        Readers own;
        for (const Part& part : listener->what().parts)
            if (part.reader && part.reader->entity == &entity) own.push_back(part.reader);
        return own;
    };
    const ReaderSets reader_sets = in_.judge.reader_sets(readers);
    PageAsked asked{.records = kRecords,
                    .bytes = kBytes,
                    .tables = reader_sets.tables(),
                    .topics = topics_of(listener->what())};
    while (*listener->since != *until) {
        co_await pages_.enter();
        const Outgoing::Sent sent = co_await send_page(listener, asked, until, reader_sets);
        pages_.leave();
        if (!listener->stream || sent == Outgoing::Sent::broken) co_return false;
        asked.bytes = sent == Outgoing::Sent::all ? kBytes : kSlowBytes;
        if (sent == Outgoing::Sent::part) {
            const bool writable = co_await wait_writable(listener);
            if (!writable) co_return false;
        }
        const bool flushed = co_await flush(listener);
        if (!flushed) co_return false;
    }
    co_return true;
}

// Broken: the stream has gone, or cannot go on.
Task<Outgoing::Sent> StreamSet::send_page(ListenerPtr listener, const PageAsked& asked,
                                          Cursor until, const ReaderSets& reader_sets) {
    if (!listener->stream) co_return Outgoing::Sent::broken;
    const Cursor since = listener->since;
    const Page page = co_await read_page(in_.system, up_to(*since, *until), asked);
    if (!listener->stream || page.fault == Page::failed) co_return Outgoing::Sent::broken;
    if (page.fault == Page::too_old) {
        listener->reset(Reset::cursor_too_old, in_.cursors.seal(*until));
        listener->since = until;
        co_return Outgoing::Sent::all;
    }
    Events events;
    const bool judged = co_await in_.judge.run(page, since, reader_sets, events);
    if (!listener->stream || !judged) co_return Outgoing::Sent::broken;
    const Outgoing::Sent sent = send_events(*listener, events);
    if (sent == Outgoing::Sent::all) listener->since = make_cursor(page.next);
    co_return sent;
}

// Part: the client takes no more for now, or its session is being read again.
Outgoing::Sent StreamSet::send_events(Listener& listener, const Events& events) {
    for (const EventPtr& event : events) {
        if (listener.asked > 0) return Outgoing::Sent::part;
        listener.take(event, listener.position);
        if (!listener.is_full()) continue;
        if (const auto sent = listener.send(); sent != Outgoing::Sent::all) return sent;
    }
    return listener.asked > 0 ? Outgoing::Sent::part : listener.send();
}

// Waits until it is known whether the stream is still allowed.
Task<> StreamSet::wait_for_session(ListenerPtr listener) {
    asio::steady_timer timer(in_.io);
    while (listener->stream && listener->asked > 0) {
        timer.expires_after(kSessionPause);
        boost::system::error_code cancelled;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

// False: it took nothing for too long.
Task<bool> StreamSet::wait_writable(ListenerPtr listener) {
    const auto timer = std::make_shared<asio::steady_timer>(in_.io, kStuck);
    listener->stream->wait_writable([timer] { timer->cancel(); });
    boost::system::error_code cancelled;
    co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (!cancelled) Counts::add(listener->counts().slow);
    co_return static_cast<bool>(cancelled);
}

Task<bool> StreamSet::flush(ListenerPtr listener) {
    for (;;) {
        co_await wait_for_session(listener);
        if (!listener->stream) co_return false;
        const Outgoing::Sent sent = listener->send();
        if (sent != Outgoing::Sent::part) co_return sent == Outgoing::Sent::all;
        const bool writable = co_await wait_writable(listener);
        if (!writable) co_return false;
    }
}

}  // namespace svc::feed
