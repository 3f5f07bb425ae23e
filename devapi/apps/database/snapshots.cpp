#include "apps/database/snapshots.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/formats.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "postgres/dump.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

// Manual snapshots are kept longer than automatic ones.
constexpr int kKeptManual = 20, kKeptAutomatic = 10;

constexpr const char* kSnapshots =
    "select s.id, s.project_id, s.env, s.reason, s.note, s.file, s.bytes, s.sha256, s.version, "
    "s.counts, iso(s.created_at), a.email from snapshot s left join account a on a.id = "
    "s.created_by where s.project_id = $1 and ";

std::string snapshots_where(const char* more) { return std::string(kSnapshots) + more; }

SnapshotRecord snapshot_of(const pqxx::row& row) {
    SnapshotRecord out;
    out.id = row[0].c_str();
    out.project_id = row[1].c_str();
    out.env = env_of(row[2].c_str());
    out.reason = row[3].c_str();
    out.note = row[4].c_str();
    out.file = row[5].c_str();
    out.bytes = row[6].as<std::int64_t>();
    out.sha256 = row[7].c_str();
    out.version = row[8].as<std::int64_t>();
    out.counts = row[9].c_str();
    out.created_at = row[10].c_str();
    if (!row[11].is_null()) out.by = row[11].c_str();
    return out;
}

// Empty if it cannot be read.
std::string checksum(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    base::Sha256 hash;
    std::vector<char> piece(1 << 20);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           file.gcount() > 0) {
        hash.add({piece.data(), static_cast<std::size_t>(file.gcount())});
    }
    return base::hex(base::bytes_of(hash.end()));
}

// The counts are read in the transaction whose database snapshot the dump uses.
void copy(const AppDatabase& database, const std::string& path, SnapshotRecord& out) {
    pqxx::connection connection(database.admin_url);
    pqxx::transaction<pqxx::isolation_level::repeatable_read, pqxx::readwrite_policy::read_only> tx(
        connection);
    DumpOptions options;
    options.limit = std::chrono::hours(1);
    options.snapshot = tx.exec1("select pg_export_snapshot()")[0].c_str();
    const auto rows = tx.exec("select version from svc.contract");
    out.version = rows.empty() ? 0 : rows[0][0].as<std::int64_t>();
    out.counts = count_rows(tx);
    dump_database(database.admin_url, path, options);
}

// No snapshot has files that were deleted before the oldest one, so the app may remove their bytes
// (schema/files.sql). An older database without the table is skipped.
// Two hours before: what a snapshot holds was read before its copy was made, which may take an
// hour, and the two servers' clocks may differ.
void write_horizon(const AppDatabase& database, const std::string& oldest) {
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    if (tx.exec1("select to_regclass('svc.file_horizon') is not null")[0].as<bool>())
        tx.exec_params(
            "insert into svc.file_horizon (oldest) values ($1::timestamptz - interval '2 hours') "
            "on conflict (only_one) "
            "do update set oldest = excluded.oldest",
            oldest);
    tx.commit();
}

}  // namespace

std::string count_rows(pqxx::transaction_base& tx) {
    nlohmann::json counts = nlohmann::json::object();
    for (const auto& row : tx.exec("select n.nspname || '.' || c.relname, "
                                   "quote_ident(n.nspname) || '.' || quote_ident(c.relname) "
                                   "from pg_class c join pg_namespace n on n.oid = c.relnamespace "
                                   "where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> "
                                   "'information_schema' order by 1"))
        counts[row[0].c_str()] =
            tx.exec1(std::string("select count(*) from ") + row[1].c_str())[0].as<std::int64_t>();
    return counts.dump();
}

SnapshotRecord Snapshots::take(const AppDatabase& database, const SnapshotRequest& wanted) const {
    SnapshotRecord out;
    out.id = base::new_uuid();
    out.file = wanted.project + "/" + out.id + ".dump";
    const std::string path = folder_ + "/" + out.file;
    fs::create_directories(fs::path(path).parent_path());
    ::chmod(folder_.c_str(), 0700);
    copy(database, path, out);
    out.bytes = static_cast<std::int64_t>(fs::file_size(path));
    out.sha256 = checksum(path);
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params(
            "insert into snapshot (id, project_id, env, reason, note, file, bytes, sha256, "
            "version, counts, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, "
            "nullif($11, '')::uuid)",
            out.id, wanted.project, name(wanted.env), wanted.reason, wanted.note, out.file,
            out.bytes, out.sha256, out.version, out.counts, wanted.user);
    });
    prune(wanted);
    write_horizon(database, list(wanted.project, wanted.env).back().created_at);
    return *find(wanted.project, out.id);
}

std::vector<SnapshotRecord> Snapshots::list(const std::string& project,
                                            std::optional<Env> env) const {
    return store_.transact([&](pqxx::work& tx) {
        std::vector<SnapshotRecord> out;
        for (const auto& row :
             tx.exec_params(snapshots_where("($2 = '' or s.env = $2) order by s.created_at desc, "
                                            "s.id desc"),
                            project, env ? name(*env) : std::string()))
            out.push_back(snapshot_of(row));
        return out;
    });
}

std::optional<SnapshotRecord> Snapshots::find(const std::string& project,
                                              const std::string& id) const {
    if (!base::is_uuid(id)) return std::nullopt;
    return store_.transact([&](pqxx::work& tx) -> std::optional<SnapshotRecord> {
        const auto rows = tx.exec_params(snapshots_where("s.id = $2"), project, id);
        if (rows.empty()) return std::nullopt;
        return snapshot_of(rows[0]);
    });
}

std::string Snapshots::whole(const SnapshotRecord& snapshot) const {
    std::string path = folder_ + "/" + snapshot.file;
    const std::string found = checksum(path);
    if (found.empty()) throw SnapshotDamaged("The snapshot's file cannot be read: " + path + ".");
    if (found != snapshot.sha256)
        throw SnapshotDamaged("The snapshot's file has changed since it was written: " + path +
                              " has a different checksum.");
    return path;
}

// Snapshots of deleted projects stay: they are the only remaining copy.
void Snapshots::prune(const SnapshotRequest& wanted) const {
    const auto old = store_.transact([&](pqxx::work& tx) {
        std::vector<std::string> files;
        for (const auto& row : tx.exec_params(
                 "delete from snapshot where id in (select id from (select id, reason = 'manual' "
                 "as manual, row_number() over (partition by reason order by created_at "
                 "desc, id desc) as place from snapshot where project_id = $1 and env = $2 and "
                 "reason <> 'delete') s where place > case when manual then $3::bigint else "
                 "$4::bigint end) "
                 "returning file",
                 wanted.project, name(wanted.env), kKeptManual, kKeptAutomatic))
            files.emplace_back(row[0].c_str());
        return files;
    });
    std::error_code ignored;  // what stays costs room, nothing else
    for (const auto& file : old) fs::remove(folder_ + "/" + file, ignored);
}

}  // namespace svc::devapi
