// Names of topics: who may use them, and which declared topic a name belongs to.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "svc/topic.hpp"

namespace svc::feed {

inline constexpr std::size_t kMaxTopic = 200;  // bytes

// Letters, digits and _ : . -
bool is_topic(std::string_view name);
// Topics between servers (feed/stream/account_changes.hpp): nobody else publishes there.
constexpr bool is_internal(std::string_view name) { return name.starts_with("svc:"); }

// app:notifications:<user id> is that user's own (schema/notices.sql): nobody else hears it, and
// nobody publishes there by the API.
inline constexpr std::string_view kNotifications = "app:notifications:";
constexpr bool is_notifications(std::string_view name) { return name.starts_with(kNotifications); }

// The kind of topic, from the text before the first colon. `foreign`: an unknown prefix.
enum class TopicKind : std::uint8_t { open, row_changed, foreign };
TopicKind kind_of(std::string_view name);
// The table of row-changed:<table>.
std::string_view table_of(std::string_view name);

struct DeclaredTopic {
    const Topic* topic = nullptr;  // null: nobody declared it
    std::vector<Text> parts;       // what stands for its braces; views into the name
};
// A name without braces comes before a name with braces.
DeclaredTopic find_topic(List<Topic> topics, std::string_view name);

// True if the caller may: the callers in the declaration, or everybody if it names none.
bool may_publish(const DeclaredTopic& found, const Viewer& viewer);
bool may_subscribe(const DeclaredTopic& found, const Viewer& viewer);

}  // namespace svc::feed
