// The local time of a time zone, from the system's own database (TZif, RFC 8536). Instants are
// seconds since 1970 in UTC; a local time is counted alike, as if it were UTC.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time/zone_rule.hpp"

namespace svc::base {

// From `begin` until before `end` a local time is the instant + `offset`.
struct ZoneSpan {
    static constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

    std::int64_t begin = -kEver, end = kEver;
    std::int32_t offset = 0;  // seconds, east of UTC positive
};

class Zone {
  public:
    // Loads a zone by its IANA name (is_time_zone). Null if there is no database, or it has no such
    // zone. `database` ends with a slash.
    static std::shared_ptr<const Zone> load(std::string_view name,
                                            std::string_view database = "/usr/share/zoneinfo/");
    // Reads the text of such a file; null if it is not one.
    static std::shared_ptr<const Zone> read(std::string_view file);

    // The span that contains an instant. Adjacent spans may have the same offset.
    ZoneSpan span(std::int64_t instant) const;
    std::int32_t offset(std::int64_t instant) const { return span(instant).offset; }

  private:
    struct Change {
        std::int64_t at;
        std::int32_t offset;  // from then on
    };
    ZoneSpan by_rule(std::int64_t instant) const;

    std::int32_t first_ = 0;  // before all changes
    std::vector<Change> changes_;
    std::optional<ZoneRule> rule_;  // after them
};

}  // namespace svc::base
