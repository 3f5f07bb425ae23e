#include "feed/page.hpp"

#include <stdexcept>

#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "base/sql_state.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kRead =
    "select next, seq is null, table_name, row_id, old, new, topic, payload from ("
    "select *, sum(coalesce(octet_length(old), 0) + coalesce(octet_length(new), 0)"
    " + coalesce(octet_length(payload), 0))"
    " over (order by seq rows between unbounded preceding and 1 preceding) ahead from ("
    "select next, seq, table_name, row_id::text,"
    " case when table_name = any ($3::text[]) then old::text when old is not null then '-' end old,"
    " case when table_name = any ($3::text[]) then new::text when new is not null then '-' end new,"
    " topic, payload::text from svc.feed_since($1::text, $2::integer,"
    " case when $5::text[] is not null then $3::text[] end, $5::text[])) f) w"
    " where coalesce(ahead, 0) < $4::bigint order by seq";

constexpr std::string_view kCursor = "select svc.change_cursor()";

// A restored database is created again, under another name or under its own; then its objects have
// other numbers. A role of the app cannot read the identity of the server.
constexpr std::string_view kEpoch =
    "select concat_ws('.', current_database(), 'svc'::regnamespace::oid)";
constexpr std::size_t kEpochBytes = 12;

class Records : public db::RowSink {
  public:
    explicit Records(Page& page) : page_(page) {}
    void row(const Row& row) override {
        page_.next = row.text(0);
        if (row.text(1) == "t") return;
        PageRecord record;
        std::string* const texts[] = {&record.table, &record.id,    &record.before,
                                      &record.after, &record.topic, &record.payload};
        record.next = page_.next;
        for (int i = 0; i < 6; ++i) *texts[i] = row.text(i + 2);
        page_.records.push_back(std::move(record));
    }

  private:
    Page& page_;
};

}  // namespace

Task<Page> read_page(db::Pool& system, std::string cursor, PageAsked asked) {
    Page page;
    Records records(page);
    const std::string most = std::to_string(asked.records);
    const std::string bytes = std::to_string(asked.bytes);
    const db::Param params[] = {cursor, most, asked.tables, bytes, asked.topics};
    const db::Command command = identity::command("svc_feed", kRead, params, &records);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (outcome.ok) co_return page;
    Page none;
    const std::string_view why = outcome.error().sqlstate;
    // More than PostgreSQL looks through in the time of a statement: the next try would come to the
    // same.
    const bool too_old = why == base::sqlstate::kGone || why == base::sqlstate::kCanceled;
    none.fault = too_old ? Page::too_old : Page::failed;
    co_return none;
}

Task<std::string> read_cursor(db::Pool& system) {
    db::OneText found;
    const db::Command command = identity::command("svc_feed_cursor", kCursor, {}, &found);
    co_await system.run({&command, 1});
    co_return std::move(found.text).value_or("");
}

Task<std::string> read_epoch(db::Pool& system) {
    db::OneText found;
    const db::Command command = identity::command("svc_feed_epoch", kEpoch, {}, &found);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok)
        throw std::runtime_error("cannot find out which database this is: " +
                                 outcome.error().message);
    const base::Digest digest = base::sha256(found.text.value_or(""));
    co_return base::base64url(base::bytes_of(digest).substr(0, kEpochBytes));
}

}  // namespace svc::feed
