// Server-sent events out of a byte stream that arrives in any pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace svc::cli {

struct Event {
    std::string name = "message";
    std::string data;
};

class EventReader {
  public:
    explicit EventReader(std::function<void(const Event&)> on_event);

    // An event is handed on as soon as the blank line after it has arrived; what is unfinished when
    // the stream ends is dropped, as the standard asks.
    void feed(std::string_view bytes);
    // The id of the last event that was complete, whether it had data or not.
    const std::string& last_id() const { return last_id_; }

  private:
    void line(std::string_view text);

    std::function<void(const Event&)> on_event_;
    std::string rest_, last_id_, id_;
    Event event_;
    bool has_data_ = false;
};

}  // namespace svc::cli
