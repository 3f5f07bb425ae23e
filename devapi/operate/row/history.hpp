// The history of a row of an app, from svc.history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace svc::devapi {

struct HistoryRequest {
    std::string database;  // administrator connection
    std::string table, row;
    std::int64_t before = 0;  // entries older than this one; 0: the latest first of all
    int limit = 50;
};

struct HistoryFound {
    bool kept = false;                // the table has `audit`, or had it
    std::vector<std::string> tables;  // all of the app, if it is not kept
    std::string json;  // {"history":[{at, actorId, actor, event, transition, old, new}, …],
                       // "hasMore":…, "next":…}
};

// Bypasses policies and rules of fields. Blocking.
HistoryFound history_of(const HistoryRequest& wanted);

}  // namespace svc::devapi
