// Messages of refusals that several rooms of this folder send, so that each has one text.
#pragma once

namespace svc::data {

inline constexpr const char* kNoSuchRow = "There is no such row.";
inline constexpr const char* kMayNotCreate = "You may not create this row.";

}  // namespace svc::data
