#include "feed/topic/topic_name.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kRowChanged = "row-changed";
constexpr std::string_view kApp = "app";

// Matches the text after a piece: a part of one or more characters without a colon, then the next
// piece, and so on. There is a colon between two parts, so only one way fits.
bool read_parts(List<std::string_view> pieces, std::size_t next, std::string_view text,
                std::vector<Text>& parts) {
    if (next == pieces.size()) return text.empty();
    for (std::size_t size = 1; size <= text.size() && text[size - 1] != ':'; ++size) {
        const std::string_view rest = text.substr(size);
        if (!rest.starts_with(pieces[next])) continue;
        parts.emplace_back(text.substr(0, size));
        if (read_parts(pieces, next + 1, rest.substr(pieces[next].size()), parts)) return true;
        parts.pop_back();
    }
    return false;
}

bool fits(const Topic& topic, std::string_view name, std::vector<Text>& parts) {
    parts.clear();
    const std::string_view first = topic.pieces.front();
    return name.starts_with(first) && read_parts(topic.pieces, 1, name.substr(first.size()), parts);
}

bool allows(TopicRule rule, const DeclaredTopic& found, const Viewer& viewer) {
    return !rule || rule(Record(found.parts), viewer);
}

}  // namespace

bool is_topic(std::string_view name) {
    const auto allowed = [](char c) {
        return base::is_alphanumeric(c) || c == '_' || c == ':' || c == '.' || c == '-';
    };
    return !name.empty() && name.size() <= kMaxTopic && std::ranges::all_of(name, allowed);
}

TopicKind kind_of(std::string_view name) {
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) return TopicKind::open;
    const std::string_view prefix = name.substr(0, colon);
    if (prefix == kRowChanged) return TopicKind::row_changed;
    return prefix == kApp ? TopicKind::open : TopicKind::foreign;
}

std::string_view table_of(std::string_view name) { return name.substr(kRowChanged.size() + 1); }

DeclaredTopic find_topic(List<Topic> topics, std::string_view name) {
    DeclaredTopic found;
    for (const Topic& topic : topics)
        if (topic.name == name) return {&topic, {}};
    for (const Topic& topic : topics)
        if (topic.pieces.size() > 1 && fits(topic, name, found.parts)) {
            found.topic = &topic;
            return found;
        }
    return {};
}

bool may_publish(const DeclaredTopic& found, const Viewer& viewer) {
    return !found.topic || allows(found.topic->may_publish, found, viewer);
}

bool may_subscribe(const DeclaredTopic& found, const Viewer& viewer) {
    return !found.topic || allows(found.topic->may_subscribe, found, viewer);
}

}  // namespace svc::feed
