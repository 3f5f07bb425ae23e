// Changes and topic messages as the database gives them, in their order.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/pool.hpp"

namespace svc::feed {

// A change, or a message.
struct PageRecord {
    std::string next;            // the cursor after it
    std::string table, id;       // of a change
    std::string before, after;   // the row as JSON; empty where there was none
    std::string topic, payload;  // of a message
    bool is_message() const { return table.empty(); }
};

struct Page {
    enum Fault : std::uint8_t { none, too_old, failed };
    Fault fault = none;
    std::vector<PageRecord> records;
    std::string next;  // the cursor after all of them
    // True if this was the last page. `next` is then only a snapshot.
    bool whole() const { return next.find('/') == next.npos; }
    // The snapshot of the page: the transactions that had ended.
    std::string until() const {
        const std::size_t end = next.find('/') + 1;  // of the one before
        return whole() ? next : next.substr(end, next.find('/', end) - end);
    }
};

// What a page is to have. Lists are arrays of PostgreSQL: "{a,b}".
struct PageAsked {
    unsigned records = 1000;  // at most
    // At most, of rows and payloads. One record comes in any case.
    std::size_t bytes = std::size_t{256} << 10;
    std::string tables;  // whose rows are read; a row of another table is kNotRead
    // If it is set, the page has only changes of `tables` and messages of these.
    std::optional<std::string> topics = {};
};
inline constexpr std::string_view kNotRead = "-";
// Reads the records after a cursor.
Task<Page> read_page(db::Pool& system, std::string cursor, PageAsked asked);

// The cursor for the records after `cursor` that the snapshot `until` contains. `until` is not
// older than `cursor`.
inline std::string up_to(const std::string& cursor, const std::string& until) {
    return cursor.find('/') == cursor.npos ? cursor + '/' + until : cursor;
}

// A page that is read from this cursor has the first changes after a snapshot. If it is whole()
// too, it has all changes of the transactions on it.
inline bool begins(const std::string& cursor) { return std::ranges::count(cursor, '/') < 2; }

// The cursor of now; empty where the database did not answer.
Task<std::string> read_cursor(db::Pool& system);
// The id of the database, which changes with a restore. Throws std::runtime_error.
Task<std::string> read_epoch(db::Pool& system);

}  // namespace svc::feed
