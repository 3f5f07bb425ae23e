// Streams that are served from the database: those that come back, and those that were too slow for
// the ring.
#include <boost/asio/redirect_error.hpp>

#include "feed/stream/stream_set.hpp"

namespace svc::feed {
namespace {

constexpr unsigned kPageOfOne = 200;
constexpr std::chrono::seconds kStuck{30};
constexpr std::chrono::milliseconds kSessionPause{5};

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

Task<bool> StreamSet::read_until(ListenerPtr listener, Cursor until) {
    const ReadersOf readers = [listener](const Entity& entity) {
        Readers own;
        for (const Part& part : listener->what().parts)
            if (part.reader && part.reader->entity == &entity) own.push_back(part.reader);
        return own;
    };
    const ReaderSets reader_sets = in_.judge.reader_sets(readers);
    Cursor since = listener->since;
    while (*since != *until) {
        const Page page =
            co_await read_page(in_.system, up_to(*since, *until), kPageOfOne, reader_sets.tables());
        if (!listener->stream || page.fault == Page::failed) co_return false;
        if (page.fault == Page::too_old) {
            listener->reset(Reset::cursor_too_old, in_.cursors.seal(*until));
            co_return co_await flush(listener);
        }
        Events events;
        const bool judged = co_await in_.judge.run(page, since, reader_sets, events);
        if (!listener->stream || !judged) co_return false;
        for (const EventPtr& event : events) listener->append(*event);
        since = make_cursor(page.next);
        // Set before the frames are sent: a handover of the stream sends all of them (drain).
        listener->since = since;
        const bool sent = co_await flush(listener);
        if (!sent) co_return false;
    }
    co_return true;
}

// Until it is known whether the stream is still allowed.
Task<> StreamSet::wait_for_session(ListenerPtr listener) {
    asio::steady_timer timer(in_.io);
    while (listener->stream && listener->asked > 0) {
        timer.expires_after(kSessionPause);
        boost::system::error_code cancelled;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

Task<bool> StreamSet::flush(ListenerPtr listener) {
    for (;;) {
        co_await wait_for_session(listener);
        if (!listener->stream) co_return false;
        const Listener::Sent sent = listener->send();
        if (sent != Listener::Sent::part) co_return sent == Listener::Sent::all;
        const auto timer = std::make_shared<asio::steady_timer>(in_.io, kStuck);
        listener->stream->wait_writable([timer] { timer->cancel(); });
        boost::system::error_code cancelled;
        co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
        if (!cancelled) {
            Counts::add(listener->counts().slow);
            co_return false;
        }
    }
}

}  // namespace svc::feed
