#include "feed/stream/listener.hpp"

namespace svc::feed {

void Listener::append(const Event& event) {
    for (const Part& part : what_.parts) {
        if (part.topic != event.topic) continue;
        const bool message = event.is_message();
        if (!message && !part.reader) return;
        const Seen seen = message ? Seen::created : event.seen_by(part.reader->id);
        if (seen == Seen::nothing) return;
        const std::string_view mask = part.reader ? part.reader->mask.key : std::string_view();
        if (seen == Seen::reset)
            counts_.reset(Reset::rights_changed);
        else
            counts_.frame(message ? FrameKind::message : FrameKind::change);
        return append_frame(out, event, seen, mask, what_.with_topic, what_.mark);
    }
}

void Listener::ping(std::string_view sealed) {
    counts_.frame(FrameKind::ping);
    append_ping(out, sealed, what_.mark);
}

void Listener::reset(Reset why, std::string_view sealed) {
    counts_.reset(why);
    append_reset(out, why, sealed, what_.mark);
}

StreamKind Listener::kind() const {
    if (what_.with_topic) return StreamKind::several;
    return what_.parts.front().reader ? StreamKind::rows : StreamKind::messages;
}

Listener::Sent Listener::send() {
    while (sent_ < out.size()) {
        const auto bytes = stream->write_some(std::string_view(out).substr(sent_));
        if (!bytes) return Sent::broken;
        if (*bytes == 0) return Sent::part;
        sent_ += *bytes;
    }
    out = {};
    sent_ = 0;
    return Sent::all;
}

}  // namespace svc::feed
