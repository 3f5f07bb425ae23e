// Times as the APIs print them, made by PostgreSQL.
#pragma once

#include <string>

namespace svc::devapi {

// SQL that gives the timestamptz `expression` as 2026-11-21T13:37:00.123Z, and to the microsecond.
inline std::string iso_millis(const std::string& expression) {
    return "to_char((" + expression + ") at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
}
inline std::string iso_micros(const std::string& expression) {
    return "to_char((" + expression + ") at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";
}

}  // namespace svc::devapi
