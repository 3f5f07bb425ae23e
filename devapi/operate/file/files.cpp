#include "operate/file/files.hpp"

#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

const std::string kListFiles =
    "select coalesce(json_agg(f), '[]') from (select f.id, f.name, f.mime, f.size, f.received, "
    "f.state, svc.file_held(f.id) as held, f.owner_id as \"ownerId\", " +
    iso_millis("f.created_at") + " as \"createdAt\", " + iso_millis("f.stored_at") +
    " as \"storedAt\", " + iso_millis("f.deleted_at") +
    " as \"deletedAt\" from svc.file f where ($1 = '' or f.state = $1) "
    "and ($2 = '' or f.id < nullif($2, '')::uuid) order by f.id desc limit $3) f";

constexpr const char* kTotal =
    "select json_build_object('files', count(*), 'bytes', coalesce(sum(size), 0)) from svc.file "
    "where state = 'stored'";

}  // namespace

bool has_files(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    return tx.exec1("select to_regprocedure('svc.file_held(uuid)') is not null")[0].as<bool>();
}

std::string files_json(const std::string& database, const FilesRequest& wanted) {
    Reading reading(database, "30s");  // it counts all files
    const std::string state(wanted.state ? base::word(*wanted.state) : "");
    const std::string files =
        reading.tx.exec_params(kListFiles, state, wanted.before, wanted.limit)[0][0].c_str();
    return "{\"files\":" + files + ",\"total\":" + reading.tx.exec1(kTotal)[0].c_str() + "}";
}

}  // namespace svc::devapi
