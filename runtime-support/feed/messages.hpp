// Messages of refusals that several rooms of this folder send, so that each has one text.
#pragma once

namespace svc::feed {

inline constexpr const char* kBadTopicName =
    "A topic's name must have 1 to 200 characters: letters, digits and _ : . -";

}  // namespace svc::feed
