// What every statement may count on, whatever role or database say: they bind weaker than these.
// Who compares what a server answers asks with the same.
#pragma once

namespace svc::db {

struct SessionSetting {
    const char *name, *value;  // as SET takes them; no blanks in the value
};

inline constexpr SessionSetting kSessionSettings[] = {{"timezone", "UTC"},
                                                      {"datestyle", "ISO"},
                                                      {"intervalstyle", "iso_8601"},
                                                      {"bytea_output", "hex"},
                                                      {"standard_conforming_strings", "on"}};

}  // namespace svc::db
