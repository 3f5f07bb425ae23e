// Settings that every statement can rely on: they override those of the role and the database.
// Tests that compare answers connect with the same settings.
#pragma once

namespace svc::db {

struct ConnectionSetting {
    const char *name, *value;  // as SET takes them; no blanks in the value
};

inline constexpr ConnectionSetting kConnectionSettings[] = {{"timezone", "UTC"},
                                                            {"datestyle", "ISO"},
                                                            {"intervalstyle", "iso_8601"},
                                                            {"bytea_output", "hex"},
                                                            {"standard_conforming_strings", "on"}};

}  // namespace svc::db
