#include "verify/clone/clone.hpp"

#include <filesystem>

#include "apps/database/catalogue.hpp"
#include "log/log.hpp"
#include "migrate/caller_rights.hpp"
#include "plan/names.hpp"
#include "platform/log_words.hpp"
#include "postgres/conninfo.hpp"
#include "postgres/dump.hpp"
#include "verify/clone/sample.hpp"

namespace svc::devapi::verification {
namespace {

namespace fs = std::filesystem;
using Plain = pqxx::nontransaction;  // databases are not made inside a transaction

constexpr std::chrono::seconds kDumpTime{30};
constexpr const char* kNames = "^svc_[0-9a-f]+_verify$";

AppDatabase clone_of(const AppsConfig& config, const std::string& project) {
    AppDatabase out = app_database(config, project, Env::dev);
    out.name = clone_name(project);
    for (std::string* url : {&out.admin_url, &out.data_url, &out.system_url})
        *url = with_database(*url, out.name);
    return out;
}

// A lock of the PostgreSQL server, so it also excludes another svcd, and ends with its connection.
bool lock_clone(Plain& work, const std::string& database) {
    return work.exec_params1("select pg_try_advisory_lock(hashtextextended($1, 0))", database)[0]
        .as<bool>();
}

// A file that its destructor deletes, because its content may be private.
struct DumpFile {
    std::string path;
    ~DumpFile() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
};

std::string dump_folder(const AppsConfig& config) { return config.home + "/verify"; }

}  // namespace

Clone::Clone(const AppsConfig& config, const std::string& project)
    : source_(app_database(config, project, Env::dev)),
      database_(clone_of(config, project)),
      keeper_(maintenance_url(config)) {}

std::unique_ptr<Clone> Clone::take(const AppsConfig& config, const std::string& project) {
    std::unique_ptr<Clone> out(new Clone(config, project));
    if (!out->lock()) {
        out->database_.name.clear();  // another verification owns it, so this one must not drop it
        return nullptr;
    }
    out->renew();
    return out;
}

bool Clone::lock() {
    Plain work(keeper_);
    return lock_clone(work, database_.name);
}

// Encoding and order of text are the source's own.
void Clone::renew() {
    Plain work(keeper_);
    const std::string name = work.quote_name(database_.name);
    work.exec0("drop database if exists " + name + " with (force)");
    const auto like = work.exec_params1(
        "select pg_encoding_to_char(encoding), datcollate, datctype from pg_database "
        "where datname = $1",
        source_.name);
    work.exec0("create database " + name + " owner " + work.quote_name(source_.owner_role) +
               " template template0 encoding " + work.quote(like[0].c_str()) + " lc_collate " +
               work.quote(like[1].c_str()) + " lc_ctype " + work.quote(like[2].c_str()));
    work.exec0("revoke all on database " + name + " from public");
    work.exec0("grant connect on database " + name + " to " + work.quote_name(source_.data_role) +
               ", " + work.quote_name(source_.system_role));
}

void Clone::load(const AppsConfig& config) {
    const std::string folder = dump_folder(config);
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    const DumpFile file{folder + "/" + database_.name + ".dump"};
    dump_database(source_.admin_url, file.path,
                  {.schema_only = true, .without_rows = {}, .compression = 0, .limit = kDumpTime});
    load_database(database_.admin_url, file.path, {.privileges = true, .limit = kDumpTime});
    cut_off();
    make_rights();
    close_catalogue(database_);
}

// External rows are out of reach from here.
void Clone::cut_off() {
    pqxx::connection connection(database_.admin_url);
    Plain work(connection);
    for (const auto& row : work.exec(
             "select format('drop user mapping for %s server %I', case usename when 'public' then "
             "usename else quote_ident(usename) end, srvname) from pg_user_mappings"))
        work.exec0(row[0].c_str());
}

// Makes the objects that pg_dump leaves out.
void Clone::make_rights() {
    pqxx::connection connection(database_.admin_url);
    pqxx::work work(connection);
    migrate::make_caller_rights(work, database_.owner_role, database_.data_role);
    work.commit();
}

void Clone::load_rows(const plan::Plan& plan) { copied_ = copy_rows(plan, source_, database_); }

Clone::~Clone() { drop(); }

void Clone::drop() noexcept try {
    if (database_.name.empty()) return;
    Plain work(keeper_);
    work.exec0("drop database if exists " + work.quote_name(database_.name) + " with (force)");
} catch (const std::exception& error) {
    log::write(log::Level::warning, "clone_left", {{"what", log_words(error)}});
}

void drop_left_clones(const AppsConfig& config) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(dump_folder(config), ignored))
        fs::remove(entry.path(), ignored);
    pqxx::connection connection(maintenance_url(config));
    Plain work(connection);
    for (const auto& row :
         work.exec_params("select datname from pg_database where datname ~ $1", kNames)) {
        const std::string name = row[0].c_str();
        if (!lock_clone(work, name)) continue;
        work.exec0("drop database if exists " + work.quote_name(name) + " with (force)");
        log::write(log::Level::warning, "leftover_clone_dropped", {{"database", name}});
    }
}

}  // namespace svc::devapi::verification
