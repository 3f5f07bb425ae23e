#include "operate/files.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <vector>

#include "common/iso_time.hpp"
#include "file/disk.hpp"
#include "json/formats.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTold = 100, kAtOnce = 1000;

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

constexpr const char* kStored =
    "select id::text, name, part from svc.file where state = 'stored' and id > $1::uuid "
    "order by id limit 1000";

constexpr const char* kUnknown =
    "select i::text from unnest($1::uuid[]) i where not exists (select from svc.file f where "
    "f.id = i)";

// The time limit of a read.
constexpr const char* kFilesPatience = "set local statement_timeout = '30s'";

class FilesCheck {
  public:
    FilesCheck(const std::string& database, std::string folder)
        : connection_(database), tx_(connection_), folder_(std::move(folder)) {
        tx_.exec0(kFilesPatience);
    }

    nlohmann::json run() {
        look_for_rows();
        look_for_bytes();
        return {{"missing", missing_}, {"unknown", unknown_}};
    }

  private:
    void look_for_rows() {
        std::string last = "00000000-0000-0000-0000-000000000000";
        for (bool more = true; more;) {
            const auto rows = tx_.exec_params(kStored, last);
            more = std::size_t(rows.size()) == kAtOnce;
            for (const auto& row : rows) {
                last = row[0].c_str();
                const std::string part = row[2].c_str();
                const bool there = fs::exists(file::stored_path(folder_, last)) ||
                                   (!part.empty() &&
                                    fs::exists(file::part_path(folder_, part)));  // not yet renamed
                if (!there) tell(missing_, {{"id", last}, {"name", row[1].c_str()}});
            }
        }
    }

    void look_for_bytes() {
        if (!fs::exists(folder_)) return;
        std::vector<std::string> ids;
        for (const auto& below : fs::directory_iterator(folder_)) {
            if (below.path().filename() == "tmp" || !below.is_directory()) continue;
            for (const auto& file : fs::directory_iterator(below)) {
                const std::string id = file.path().filename();
                if (svc::json::is_uuid(id)) ids.push_back(id);
                if (ids.size() == kAtOnce) ask_for(ids);
            }
        }
        ask_for(ids);
    }

    void ask_for(std::vector<std::string>& ids) {
        std::string list = "{";
        for (const std::string& id : ids) list += (list.size() > 1 ? "," : "") + id;
        ids.clear();
        for (const auto& row : tx_.exec_params(kUnknown, list + "}")) {
            const std::string id = row[0].c_str();
            std::error_code gone;
            const auto size = fs::file_size(file::stored_path(folder_, id), gone);
            if (gone) continue;
            unknown_["bytes"] = unknown_["bytes"].get<std::uint64_t>() + size;
            tell(unknown_, {{"id", id}, {"size", size}});
        }
    }

    static void tell(nlohmann::json& list, nlohmann::json one) {
        list["count"] = list["count"].get<std::size_t>() + 1;
        if (list["files"].size() < kMostTold) list["files"].push_back(std::move(one));
    }

    pqxx::connection connection_;
    pqxx::read_transaction tx_;
    const std::string folder_;
    nlohmann::json missing_ = {{"count", 0}, {"files", nlohmann::json::array()}};
    nlohmann::json unknown_ = {{"count", 0}, {"bytes", 0}, {"files", nlohmann::json::array()}};
};

}  // namespace

bool has_files(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    return tx.exec1("select to_regprocedure('svc.file_held(uuid)') is not null")[0].as<bool>();
}

std::string files_json(const std::string& database, const FilesWish& wish) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    tx.exec0(kFilesPatience);
    const std::string files =
        tx.exec_params(kListFiles, wish.state, wish.before, wish.limit)[0][0].c_str();
    return "{\"files\":" + files + ",\"total\":" + tx.exec1(kTotal)[0].c_str() + "}";
}

std::string files_check_json(const std::string& database, const std::string& folder) {
    return FilesCheck(database, folder)
        .run()
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace svc::devapi
