// The frames that a stream is sending. The text of small ones stands here. A large body stays the
// event's own, however many streams send it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feed/event.hpp"

namespace svc::feed {

// Where a stream is: the first event that it has not looked at, and the cursor there.
struct Place {
    std::uint64_t position = 0;
    Cursor since;
};

class Outgoing {
  public:
    enum class Sent : std::uint8_t { all, part, broken };

    std::string text;  // append to it

    // A body that follows the text so far. Only if has_body() is false.
    void add_body(EventPtr event, std::string_view body);
    bool has_body() const { return event_ != nullptr; }
    bool empty() const { return size() == 0; }
    // Of all frames, sent or not.
    std::size_t size() const { return text.size() + body_.size(); }

    // A frame ends here, and the stream is then at this place. Before the first one: where the
    // stream is.
    void mark(Place place) {
        if (marks_.empty()) marks_.reserve(4);
        marks_.push_back({size(), std::move(place)});
    }
    bool is_marked() const { return !marks_.empty(); }

    // `stream`: has write_some() of http::Stream.
    template <class Stream>
    Sent send(Stream& stream) {
        while (sent_ < size()) {
            const auto [first, second] = rest();
            const auto bytes = stream.write_some(first, second);
            if (!bytes) return Sent::broken;
            if (*bytes == 0) return Sent::part;
            sent_ += *bytes;
        }
        clear();
        return Sent::all;
    }
    // Call it if the client takes no more: drops all frames but the rest of one that was sent in
    // part. Returns where the stream is after that frame; nothing: it stays where it is.
    std::optional<Place> take_back();

  private:
    struct Mark {
        std::size_t end;
        Place place;
    };
    std::pair<std::string_view, std::string_view> rest() const;
    void clear();
    void cut(std::size_t end);
    void drop_sent();

    EventPtr event_;  // that has the body; null: none
    std::string_view body_;
    std::size_t body_at_ = 0;  // in `text`
    std::size_t sent_ = 0;     // of text and body
    std::vector<Mark> marks_;
};

}  // namespace svc::feed
