#include "feed/stream/listener.hpp"

namespace svc::feed {
namespace {

// A body of so many bytes is not copied for each stream.
constexpr std::size_t kShared = std::size_t{2} << 10;
// Bytes around the body and the id of most frames.
constexpr std::size_t kAround = 256;

}  // namespace

void Listener::take(const EventPtr& event, std::uint64_t next) {
    const std::size_t before = out.size();
    for (const Part& part : what_.parts) {
        if (part.topic != event->topic) continue;
        if (!out.is_marked()) out.mark({position, since});
        append(event, part);
        break;
    }
    since = event->next;
    position = next;
    if (out.size() > before) out.mark({position, since});
}

void Listener::append(const EventPtr& event, const Part& part) {
    if (event->is_message()) {
        counts_.frame(FrameKind::message);
        return append_seen(event, Seen::created, {});
    }
    if (!part.reader) return;
    const Seen seen = event->seen_by(part.reader->id);
    if (seen == Seen::nothing) return;
    if (seen == Seen::reset) return reset(Reset::rights_changed, event->sealed);
    counts_.frame(FrameKind::change);
    append_seen(event, seen, part.reader->mask.key);
}

void Listener::append_seen(const EventPtr& event, Seen seen, std::string_view mask) {
    const std::string_view body = body_of(*event, seen, mask);
    const bool shared = body.size() >= kShared && !out.has_body();
    out.text.reserve(out.text.size() + (shared ? 0 : body.size()) + event->sealed.size() + kAround);
    append_head(out.text, *event, seen, what_.with_topic);
    if (shared)
        out.add_body(event, body);
    else
        out.text += body;
    append_tail(out.text, *event, what_.with_topic, what_.mark);
}

void Listener::ping(std::string_view sealed) {
    counts_.frame(FrameKind::ping);
    append_ping(out.text, sealed, what_.mark);
}

void Listener::reset(Reset why, std::string_view sealed) {
    counts_.reset(why);
    append_reset(out.text, why, sealed, what_.mark);
}

StreamKind Listener::kind() const {
    if (what_.with_topic) return StreamKind::several;
    return what_.parts.front().reader ? StreamKind::rows : StreamKind::messages;
}

Outgoing::Sent Listener::send() {
    pace.sent(out.size());
    const Outgoing::Sent sent = out.send(*stream);
    if (sent != Outgoing::Sent::part) return sent;
    if (std::optional<Place> place = out.take_back()) {
        position = place->position;
        since = std::move(place->since);
    }
    return sent;
}

void Listener::look_at_client() { pace.look(stream->offered_window()); }

}  // namespace svc::feed
