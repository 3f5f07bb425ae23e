// Settings that every statement can rely on: they override those of the role and the database.
// Tests that compare answers connect with the same settings.
#pragma once

namespace svc::db {

struct ConnectionSetting {
    const char *name, *value;  // as SET takes them; no blanks in the value
};

inline constexpr ConnectionSetting kConnectionSettings[] = {
    {"timezone", "UTC"},
    {"datestyle", "ISO"},
    {"intervalstyle", "iso_8601"},
    {"bytea_output", "hex"},
    {"standard_conforming_strings", "on"},
    // Milliseconds between two looks whether the client of a running statement is still there. So a
    // statement of a killed server ends soon, and with it its locks and its claim on a run.
    {"client_connection_check_interval", "1000"},
    // A computer that vanishes closes no connection. After a minute PostgreSQL takes it for gone,
    // and ends its transactions.
    {"tcp_keepalives_idle", "30"},
    {"tcp_keepalives_interval", "10"},
    {"tcp_keepalives_count", "3"},
    {"tcp_user_timeout", "60000"}};

}  // namespace svc::db
