#include "cli/app/sse.hpp"

#include <utility>

namespace svc::cli {

EventReader::EventReader(std::function<void(const Event&)> on_event)
    : on_event_(std::move(on_event)) {}

void EventReader::feed(std::string_view bytes) {
    rest_.append(bytes);
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
        std::string_view text(rest_.data() + begin, end - begin);
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        line(text);
    }
    rest_.erase(0, begin);
}

void EventReader::line(std::string_view text) {
    if (text.empty()) {
        last_id_ = id_;
        if (has_data_) on_event_(event_);
        event_ = {};
        has_data_ = false;
        return;
    }
    const auto colon = text.find(':');
    const auto field = text.substr(0, colon);
    auto value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    if (field == "event") event_.name = value;
    if (field == "id") id_ = value;
    if (field != "data") return;
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
}

}  // namespace svc::cli
