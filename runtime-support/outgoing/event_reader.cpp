#include "outgoing/event_reader.hpp"

#include <algorithm>
#include <utility>

namespace svc::outgoing {

void EventReader::take_line(std::vector<std::string>& events) {
    std::string_view line = line_;
    if (!std::exchange(begun_, true) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.empty()) {
        if (std::exchange(has_data_, false)) events.push_back(std::exchange(data_, {}));
    } else if (line.substr(0, line.find(':')) == "data") {
        line.remove_prefix(std::min<std::size_t>(line.size(), 5));
        if (line.starts_with(' ')) line.remove_prefix(1);
        if (std::exchange(has_data_, true)) data_ += '\n';
        data_ += line;
    }
    line_.clear();
}

// A line ends in LF, CR, or both.
bool EventReader::feed(std::string_view bytes, std::vector<std::string>& events) {
    while (!bytes.empty()) {
        if (std::exchange(after_return_, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = bytes.find_first_of("\r\n");
        line_ += bytes.substr(0, end);
        if (line_.size() + data_.size() > kMost) return false;
        if (end == std::string_view::npos) return true;
        after_return_ = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        take_line(events);
    }
    return true;
}

}  // namespace svc::outgoing
