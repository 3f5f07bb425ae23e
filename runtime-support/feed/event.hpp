// An event for subscribers, as the ring keeps it: rendered once for each class of readers, and
// judged once for each reader, before it is sent to anybody.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feed/cursor.hpp"

namespace svc::feed {

// A row feed as one identity reads it (feed/reader/reader.hpp); small, and unique in a hub.
using ReaderId = std::uint32_t;

// How a reader sees a change.
enum class Seen : std::uint8_t { nothing, created, updated, deleted, reset };

struct Event {
    std::string topic;
    std::string payload;    // of a message: JSON in one line; of a change empty
    std::string table, id;  // of a change
    // The present row as JSON, for each class of readers that see it.
    std::vector<std::pair<std::string, std::string>> rows;
    std::vector<std::pair<ReaderId, Seen>>
        seen;            // by reader; readers that see nothing are left out
    Cursor since, next;  // before and after it
    std::string sealed;  // `next`, as it is handed out

    bool is_message() const { return table.empty(); }
    Seen seen_by(ReaderId reader) const;
    std::string_view row_for(std::string_view mask) const;
    std::size_t bytes() const;
};

using EventPtr = std::shared_ptr<const Event>;
using Events = std::vector<EventPtr>;

// A frame of an event is its head, its body and its tail. The body is the event's. `mask` picks the
// row; `with_topic`: the stream has several topics. `mark`: as mark_of(). A reset has a frame of
// its own.
std::string_view body_of(const Event& event, Seen seen, std::string_view mask);
void append_head(std::string& out, const Event& event, Seen seen, bool with_topic);
void append_tail(std::string& out, const Event& event, bool with_topic, std::string_view mark);
void append_ping(std::string& out, std::string_view sealed, std::string_view mark);
void append_reset(std::string& out, Reset why, std::string_view sealed, std::string_view mark);

}  // namespace svc::feed
