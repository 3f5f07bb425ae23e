// Messages of the database itself: something about an account, its sessions or memberships has
// changed (schema/topics.sql). Nobody subscribes to them.
#pragma once

#include <optional>
#include <string_view>

#include "feed/event.hpp"

namespace svc::feed {

inline constexpr std::string_view kAccountChanges = "svc:account";

// The account that the event is about.
inline std::optional<std::string_view> account_of(const Event& event) {
    if (event.topic != kAccountChanges || event.payload.size() < 2) return std::nullopt;
    return std::string_view(event.payload).substr(1, event.payload.size() - 2);
}

}  // namespace svc::feed
