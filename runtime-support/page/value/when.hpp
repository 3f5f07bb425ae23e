// Days and moments as people read and type them, in the app's time zone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time/zone.hpp"

namespace svc::page {

// 21 Nov 2026. Other text stays as it is.
std::string day_words(std::string_view iso);
// A moment of the zone: "5 minutes ago" where that is near, else 21 Nov 2026, 14:05; and exactly.
struct MomentWords {
    std::string shown, exact;
};
MomentWords moment_words(std::string_view iso, const base::Zone* zone);
// 21 Nov 2026, 14:05:09, of the zone.
std::string exact_moment(std::string_view iso, const base::Zone* zone);
// The value of an input: 2026-11-21T14:05, with seconds if the moment has some.
std::string moment_input(std::string_view iso, const base::Zone* zone);
// The value of such an input as a moment in UTC; none if it is not a moment.
std::optional<std::string> typed_moment(std::string_view text, const base::Zone* zone);

}  // namespace svc::page
