#include "feed/event.hpp"

#include <algorithm>

#include "base/json_text.hpp"

namespace svc::feed {
namespace {

std::string_view word_of(Seen seen) {
    if (seen == Seen::created) return "created";
    return seen == Seen::updated ? "updated" : "deleted";
}

void append_id(std::string& out, std::string_view sealed, std::string_view mark) {
    out.append("\nid: ").append(sealed).append(mark).append("\n\n");
}

void append_change_head(std::string& out, const Event& event, Seen seen) {
    out.append(R"({"event":")").append(word_of(seen)).append(R"(","table":)");
    base::append_json_utf8(out, event.table);
    out.append(R"(,"id":")").append(event.id).append("\"");
    if (seen != Seen::deleted) out.append(R"(,"row":)");
}

}  // namespace

Seen Event::seen_by(ReaderId reader) const {
    const auto at = std::ranges::lower_bound(seen, reader, {}, [](auto& one) { return one.first; });
    return at != seen.end() && at->first == reader ? at->second : Seen::nothing;
}

std::string_view Event::row_for(std::string_view mask) const {
    for (const auto& [of, row] : rows)
        if (of == mask) return row;
    return "null";
}

std::size_t Event::bytes() const {
    std::size_t bytes = sizeof(Event) + topic.size() + payload.size() + sealed.size() +
                        seen.size() * sizeof(seen.front()) + next->size();
    for (const auto& [mask, row] : rows)
        bytes += row.size() + mask.size() + 2 * sizeof(std::string);
    return bytes;
}

std::string_view body_of(const Event& event, Seen seen, std::string_view mask) {
    if (event.is_message()) return event.payload;
    return seen == Seen::deleted ? std::string_view() : event.row_for(mask);
}

void append_head(std::string& out, const Event& event, Seen seen, bool with_topic) {
    out += "event: message\ndata: ";
    if (with_topic) {
        out += R"({"topic":)";
        base::append_json_utf8(out, event.topic);
        out += R"(,"payload":)";
    }
    if (!event.is_message()) append_change_head(out, event, seen);
}

void append_tail(std::string& out, const Event& event, bool with_topic, std::string_view mark) {
    if (!event.is_message()) out += '}';
    if (with_topic) out += '}';
    append_id(out, event.sealed, mark);
}

void append_ping(std::string& out, std::string_view sealed, std::string_view mark) {
    out += "event: ping\ndata:";
    append_id(out, sealed, mark);
}

void append_reset(std::string& out, Reset why, std::string_view sealed, std::string_view mark) {
    out.append(R"(event: reset
data: {"reason":")")
        .append(word_of(why))
        .append("\"}");
    append_id(out, sealed, mark);
}

}  // namespace svc::feed
