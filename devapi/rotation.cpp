#include "rotation.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <pqxx/pqxx>
#include <system_error>

#include "apps/database/database.hpp"
#include "apps/database/provision.hpp"
#include "identity/secret/sealer.hpp"
#include "log/log.hpp"
#include "platform/factor/factors.hpp"
#include "platform/keys/secrets.hpp"
#include "platform/store.hpp"
#include "postgres/administrator.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

std::string next_file(const Config& config) { return config.master_key_file + ".next"; }

// A column of an app's database that holds what its servers sealed, and for what.
struct Sealed {
    const char *table, *key, *column, *purpose;
};
constexpr Sealed kSealed[] = {{"svc.mfa", "account_id", "secret", "mfa"},
                              {"svc.provider", "id", "client_secret", "provider"}};

void reseal_column(pqxx::work& tx, const Sealed& what, const identity::Sealer& old,
                   const identity::Sealer& next) {
    if (tx.exec_params1("select to_regclass($1) is null", what.table)[0].as<bool>()) return;
    const std::string table = what.table, key = what.key, column = what.column;
    for (const auto& row : tx.exec("select " + key + ", " + column + " from " + table)) {
        const auto text = old.unseal(row[1].c_str());
        if (!text) continue;  // under the next one already
        tx.exec_params0("update " + table + " set " + column + " = $2 where " + key + "::text = $1",
                        row[0].c_str(), next.seal(*text));
    }
}

// svc_<12 hex>_<env>, without the generation that a restore gave it.
std::string stem_of(const std::string& database) {
    const auto at = database.rfind("_g");
    const bool generation = at != std::string::npos && at + 2 < database.size() &&
                            database.find_first_not_of("0123456789", at + 2) == std::string::npos;
    return generation ? database.substr(0, at) : database;
}

void reseal_apps(const std::string& admin_url, const std::string& old, const std::string& next) {
    AppsConfig server;
    server.admin_url = admin_url;
    for (const auto& name : app_databases(server)) {
        const std::string stem = stem_of(name);
        pqxx::connection connection(with_database(admin_url, name));
        pqxx::work tx(connection);
        for (const Sealed& what : kSealed)
            reseal_column(tx, what, identity::Sealer(app_secret(old, stem), what.purpose),
                          identity::Sealer(app_secret(next, stem), what.purpose));
        tx.commit();
    }
}

void sync_folder(const std::string& file) {
    const int fd = ::open(fs::path(file).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

}  // namespace

std::string next_master_key(const Config& config) {
    if (!config.rotate_master_key && !fs::exists(next_file(config))) return {};
    std::string key = master_key(next_file(config));
    sync_folder(config.master_key_file);
    return key;
}

void reseal_everything(const Config& config, const std::string& old, const std::string& next,
                       const std::string& admin_url) {
    Store store(admin_url, 1);
    const std::size_t secrets = Secrets(store, next).reseal(Secrets(store, old));
    const std::size_t factors = Factors(store, next).reseal(Factors(store, old));
    reseal_apps(admin_url, old, next);
    if (config.database_url.empty()) set_admin_password(admin_url, next);
    log::write(log::Level::info, "master_key_rotated",
               {{"secrets", std::to_string(secrets)}, {"factors", std::to_string(factors)}});
}

void finish_rotation(const Config& config) {
    if (::rename(next_file(config).c_str(), config.master_key_file.c_str()) != 0)
        throw std::system_error(errno, std::generic_category(),
                                "Cannot move the new master key to its place");
    sync_folder(config.master_key_file);
}

}  // namespace svc::devapi
