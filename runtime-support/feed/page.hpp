// Changes and topic messages as the database gives them, in their order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/pool.hpp"

namespace svc::feed {

// A change, or a message.
struct Told {
    std::string next;            // the cursor behind it
    std::string table, id;       // of a change
    std::string before, after;   // the row as JSON; empty where there was none
    std::string topic, payload;  // of a message
    bool is_message() const { return table.empty(); }
};

struct Page {
    enum Fault : std::uint8_t { none, too_old, failed };
    Fault fault = none;
    std::vector<Told> records;
    std::string next;  // the cursor behind all of them
    // Nothing more was there: `next` is a snapshot and nothing but.
    bool whole() const { return next.find('/') == next.npos; }
};

// What comes behind a cursor, at most `limit` records, and fewer where they are large. Of rows only
// those of `tables` ("{a,b}", as an array of PostgreSQL) are read; those of others are kNotRead
// where there was one.
inline constexpr std::string_view kNotRead = "-";
Task<Page> read_page(db::Pool& system, std::string cursor, unsigned limit, std::string tables);

// What comes behind `cursor` and was there at `until`, which is a snapshot and no older.
inline std::string up_to(const std::string& cursor, const std::string& until) {
    return cursor.find('/') == cursor.npos ? cursor + '/' + until : cursor;
}

// The cursor of now; empty where the database did not answer.
Task<std::string> read_cursor(db::Pool& system);
// The id of the database, which changes with a restore. Throws std::runtime_error.
Task<std::string> read_epoch(db::Pool& system);

}  // namespace svc::feed
