#include "operate/file/files_check.hpp"

#include <pqxx/pqxx>
#include <stdexcept>
#include <vector>

#include "common/iso_time.hpp"
#include "file/byte_store.hpp"
#include "json/formats.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

constexpr int kMostFilesTold = 100;
constexpr std::size_t kFilesAtOnce = 1000;

// The time limit of one statement.
constexpr const char* kCheckPatience = "set statement_timeout = '60s'";
constexpr const char* kBegan = "select clock_timestamp()::text";

// A stored object: a file's bytes under its id, or a part under its own name.
constexpr const char* kFilesThere =
    "create temporary table there (id uuid, part text, size bigint, waits boolean)";
constexpr const char* kFilesAdd =
    "insert into there select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::boolean[])";
constexpr const char* kFilesIndex = "create index on there (id)";

// A file is stored before its row says so. The listing may not have a file that was stored after
// the listing began, so rows of such files are left out.
constexpr const char* kFilesMissing = "create temporary table missing (id uuid, name text)";
constexpr const char* kFilesFindMissing =
    "insert into missing select f.id, f.name from svc.file f where f.state = 'stored' "
    "and f.stored_at < $1::timestamptz and not exists (select from there t where t.id = f.id "
    "and t.part in ('', f.part))";

constexpr const char* kFilesUnknown =
    "create temporary table unknown as select t.id, max(t.size) as size from there "
    "t where not t.waits and not exists (select from svc.file f where f.id = t.id) group by t.id";

constexpr const char* kFilesTold =
    "select json_build_object("
    "'missing', json_build_object('count', (select count(*) from missing), 'files', "
    "(select coalesce(json_agg(m), '[]') from (select id, name from missing order by id limit $1) "
    "m)), "
    "'unknown', json_build_object('count', (select count(*) from unknown), 'bytes', "
    "(select coalesce(sum(size), 0) from unknown), 'files', "
    "(select coalesce(json_agg(u), '[]') from (select id, size from unknown order by id limit $1) "
    "u)))";

// A copy of the database has another number, and its files were not looked at.
constexpr const char* kFilesHere =
    "select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()";

const std::string kFilesKeep =
    std::string(
        "insert into svc.file_check (database, begun_at, checked_at, missing, "
        "unknown, unknown_bytes, stored) select (") +
    kFilesHere +
    "), $1::timestamptz, now(), (select count(*) from missing), (select count(*) from "
    "unknown), (select coalesce(sum(size), 0) from unknown), "
    "(select count(*) from svc.file where state = 'stored') "
    "on conflict (only_one) do update set database = excluded.database, "
    "begun_at = excluded.begun_at, checked_at = excluded.checked_at, missing "
    "= excluded.missing, unknown = excluded.unknown, unknown_bytes = "
    "excluded.unknown_bytes, stored = excluded.stored";

const std::string kFilesClaim =
    std::string("insert into svc.file_check (database, begun_at) select (") + kFilesHere +
    "), now() on conflict (only_one) do update set database = excluded.database, begun_at = now(), "
    "checked_at = case when file_check.database = excluded.database then file_check.checked_at end "
    "where file_check.database <> excluded.database or (file_check.begun_at < now() - interval '1 "
    "hour' and coalesce(file_check.checked_at < now() - interval '24 hours', true)) returning 1";

const std::string kFilesChecked = "select json_build_object('checkedAt', " +
                                  iso_millis("checked_at") +
                                  ", 'missing', missing, 'unknown', unknown, 'unknownBytes', "
                                  "unknown_bytes, 'stored', stored) from svc.file_check where "
                                  "checked_at is not null and database = (" +
                                  kFilesHere + ")";

constexpr const char* kHasFileChecks = "select to_regclass('svc.file_check') is not null";

// Each statement is a transaction of its own: to list a store takes long, and a transaction that
// lasts so long keeps the readers of changes of all apps busy (docs/design/changes.md).
class FilesCheck {
  public:
    FilesCheck(const AppFiles& app, const std::function<bool()>& go_on)
        : connection_(app.database), tx_(connection_), app_(app), go_on_(go_on) {
        tx_.exec0(kCheckPatience);
        began_ = tx_.exec1(kBegan)[0].c_str();
        tx_.exec0(kFilesThere);
    }

    std::string run() {
        const auto store =
            file::make_store(app_.folder, file::store_prefix(app_.project, app_.env));
        store->each([this](const file::Listed& file) { add(file); });
        flush();
        for (const char* statement : {kFilesIndex, kFilesMissing, kFilesUnknown})
            tx_.exec0(statement);
        tx_.exec_params0(kFilesFindMissing, began_);
        std::string out = tx_.exec_params(kFilesTold, kMostFilesTold)[0][0].c_str();
        if (tx_.exec1(kHasFileChecks)[0].as<bool>()) tx_.exec_params0(kFilesKeep, began_);
        return out;
    }

  private:
    void add(const file::Listed& file) {
        ids_.push_back(file.id);
        parts_.push_back(file.part);
        sizes_.push_back(std::to_string(file.size));
        waits_.emplace_back(file.waits ? "t" : "f");
        if (ids_.size() == kFilesAtOnce) flush();
    }

    void flush() {
        if (!go_on_()) throw std::runtime_error("the check was given up");
        if (ids_.empty()) return;
        tx_.exec_params0(kFilesAdd, taken(ids_), taken(parts_), taken(sizes_), taken(waits_));
    }

    static std::string taken(std::vector<std::string>& column) {
        std::string out = svc::json::array_literal(column);
        column.clear();
        return out;
    }

    pqxx::connection connection_;
    pqxx::nontransaction tx_;
    std::string began_;  // by the database's clock
    const AppFiles& app_;
    const std::function<bool()>& go_on_;
    std::vector<std::string> ids_, parts_, sizes_, waits_;
};

}  // namespace

std::string check_files(const AppFiles& app, const std::function<bool()>& go_on) {
    return FilesCheck(app, go_on).run();
}

std::string files_checked(const std::string& database) {
    Reading reading(database);
    if (!reading.tx.exec1(kHasFileChecks)[0].as<bool>()) return "null";
    const pqxx::result found = reading.tx.exec(kFilesChecked);
    return found.empty() ? "null" : found[0][0].c_str();
}

bool claim_files_check(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    tx.exec0("set local statement_timeout = '10s'");
    if (!tx.exec1(kHasFileChecks)[0].as<bool>()) return false;
    const bool ours = !tx.exec(kFilesClaim).empty();
    tx.commit();
    return ours;
}

}  // namespace svc::devapi
