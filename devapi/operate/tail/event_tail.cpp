#include "operate/tail/event_tail.hpp"

#include <pqxx/pqxx>
#include <utility>

#include "base/sql_state.hpp"
#include "common/iso_time.hpp"
#include "operate/topics.hpp"

namespace svc::devapi {
namespace {

using feed::Reset;

// In the form of the data API; the database of an older compiler has only what PostgreSQL wrote. A
// row may be of any size; what is too much to show is null.
std::string row_of(const std::string& column, bool shows) {
    const std::string row = shows ? "svc.shown_row(c.table_name, " + column +
                                        ", array(select json_object_keys(" + column + ")))::json"
                                  : column;
    return "case when octet_length(" + column + "::text) <= 65536 then " + row + " end";
}
std::string event_entry(bool shows) {
    return "json_build_object('at', " + iso_millis("c.at") +
           ", 'kind', 'event', 'event', c.event, 'table', c.table_name, 'id', c.row_id, "
           "'actor', c.actor, 'transition', c.transition, 'old', " +
           row_of("c.old", shows) + ", 'new', " + row_of("c.new", shows) + ")::text";
}
constexpr const char* kShowsRows = "select to_regproc('svc.shown_row') is not null";
const std::string kMessage = "json_build_object('at', " + iso_millis("c.at") +
                             ", 'kind', 'message', 'topic', c.topic, 'payload', c.payload, "
                             "'actor', c.actor)::text";

// The condition for the requested topics, or for all: changes of a table have the topic
// row-changed.
std::string among(const std::string& topic, const std::string& parameter) {
    return "(" + parameter + " = '' or " + topic + " = any (string_to_array(" + parameter +
           ", ',')))";
}
const std::string kNotInternal = "coalesce(c.topic, '') not like 'svc:%'";
const std::string kMessages = "select * from svc.topic_message c where " + kNotInternal;
const std::string kTopicOfChange = "'row-changed:' || c.table_name";

// The newest of a table: $1 since, $2 how many, $3 topics.
std::string newest_of(const std::string& entry, const std::string& table,
                      const std::string& topic) {
    return "(select " + entry + " as entry, c.seq from " + table +
           " c where c.at >= to_timestamp($1::float8 / 1000000) and " + among(topic, "$3") +
           " order by c.seq desc limit $2)";
}

// SQL for the entry of a row: null if the row is not one. $1 is the cursor before the page, $2 the
// topics. The second one is for the database of an older compiler, which has no topics.
std::string next_entry(bool shows) {
    return "case when c.seq is not null and " + kNotInternal + " and " +
           among("coalesce(c.topic, " + kTopicOfChange + ")", "$2") +
           " then case when c.topic is null then " + event_entry(shows) + " else " + kMessage +
           " end end from svc.feed_since($1, 500) c";
}
std::string next_change(bool shows) {
    return "case when c.seq is not null and " + among(kTopicOfChange, "$2") + " then " +
           event_entry(shows) + " end from svc.changes_since($1, 500) c";
}

// The events after the cursor are no longer stored, or the text is not a cursor.
bool is_lost(const pqxx::sql_error& error) {
    return error.sqlstate() == base::sqlstate::kGone ||
           base::sqlstate::is_of_data(error.sqlstate());
}

}  // namespace

EventTail::EventTail(std::string database, std::string topics, std::int64_t since)
    : database_(std::move(database)), topics_(std::move(topics)), since_(since) {}

EventTail::EventTail(std::string database, std::string topics, const TailPlace& after)
    : database_(std::move(database)), topics_(std::move(topics)) {
    begin_now(Reset::none);
    if (after.source != source_)
        reset_ = Reset::restored;
    else
        cursor_ = after.position;
}

std::string EventTail::place() const { return tail_place("events", {source_, cursor_}); }

void EventTail::look_at_now(pqxx::transaction_base& tx) {
    const auto row = tx.exec1(std::string("select svc.change_cursor(), ") + kTailSource + ", (" +
                              kHasTopics + "), (" + kShowsRows + ")");
    cursor_ = row[0].c_str();
    source_ = row[1].c_str();
    has_topics_ = row[2].as<bool>();
    shows_rows_ = row[3].as<bool>();
}

void EventTail::begin_now(Reset why) {
    pqxx::connection connection(database_);
    pqxx::read_transaction tx(connection);
    look_at_now(tx);
    reset_ = why;
}

// All questions see the same transactions as ended.
TailLines EventTail::first(std::size_t limit) {
    pqxx::connection connection(database_);
    pqxx::read_transaction tx(connection);
    tx.exec0("set transaction isolation level repeatable read");
    tx.exec0("set local statement_timeout = '10s'");
    look_at_now(tx);
    std::string newest = newest_of(event_entry(shows_rows_), "svc.change", kTopicOfChange);
    if (has_topics_)
        newest += " union all " + newest_of(kMessage, "(" + kMessages + ")", "c.topic") +
                  " order by seq desc limit $2";
    const auto rows = tx.exec_params("select entry from (" + newest + ") newest order by seq",
                                     since_, limit, topics_);
    TailLines out;
    out.reserve(static_cast<std::size_t>(rows.size()));
    for (const auto& row : rows) out.push_back({row[0].c_str(), {}});
    if (!out.empty()) out.back().place = place();
    return out;
}

TailLines EventTail::next() try { return behind_cursor(); } catch (const pqxx::sql_error& error) {
    if (!is_lost(error)) throw;
    begin_now(Reset::cursor_too_old);
    return {};
}

TailLines EventTail::behind_cursor() {
    pqxx::connection connection(database_);
    pqxx::read_transaction tx(connection);
    const auto rows =
        tx.exec_params(std::string("select c.next, ") + kTailSource + ", " +
                           (has_topics_ ? next_entry(shows_rows_) : next_change(shows_rows_)),
                       cursor_, topics_);
    TailLines out;
    for (const auto& row : rows) {
        if (row[1].c_str() != source_) {
            begin_now(Reset::restored);
            return {};
        }
        cursor_ = row[0].c_str();
        if (!row[2].is_null()) out.push_back({row[2].c_str(), place()});
    }
    return out;
}

}  // namespace svc::devapi
