// Calls of connectors as an app records them (runtime-support/schema/connectors.sql), one after the
// other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace svc::devapi {

class ConnectorCalls {
  public:
    // `database`: administrator connection. `since`: microseconds since 1970.
    ConnectorCalls(std::string database, std::int64_t since)
        : database_(std::move(database)), since_(since), last_(since) {}

    struct Call {
        std::int64_t at = 0;  // microseconds since 1970
        std::string text;     // one JSON object
    };
    // Those that no earlier call of this gave, oldest first, and of more than a follower could miss
    // the newest. Throws pqxx::failure.
    std::vector<Call> next();

  private:
    const std::string database_;
    const std::int64_t since_;
    std::int64_t last_;                           // time of the newest one that was given
    std::map<std::string, std::int64_t> recent_;  // ids of those that were given, and their times
};

}  // namespace svc::devapi
