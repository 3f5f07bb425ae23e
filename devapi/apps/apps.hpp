// The running apps: their databases, builds, processes, and which of them a connection belongs to.
// Everything that touches a project's app goes through here; routes and the platform's own tables
// are the other half of svcd.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/database/unmanaged.hpp"
#include "apps/lease/lease_kind.hpp"
#include "apps/stage.hpp"
#include "build/build.hpp"
#include "diag/finding.hpp"
#include "http/error.hpp"
#include "http/server.hpp"
#include "migrate/migrate.hpp"
#include "platform/app_ref.hpp"

namespace svc::devapi {

class Generations;
class AppUsers;

struct AppsConfig {
    std::string home;         // SVC_HOME
    std::string admin_url;    // administrator connection, database name left out or replaced
    std::string master_key;   // 32 bytes; role passwords are derived from it
    std::string apps_domain;  // SVC_APPS_DOMAIN
    std::string apps_origin;  // SVC_APPS_ORIGIN; may be empty
    std::string listen;       // SVC_LISTEN, to build URLs
    unsigned rate_browser = 600, rate_server = 1200;
    unsigned check_seconds = 20;  // SVC_CHECK_SECONDS
    build::Settings build;
    std::vector<std::string> private_hosts;  // that other databases may be on; "*": every one
    // Unix user of the standby, and of app servers without their own users. Empty: svcd's user.
    std::string app_user;
    std::shared_ptr<AppUsers> users = {};           // none: all app servers are app_user
    std::vector<std::string> platform_hosts = {};   // as Config has them
    std::shared_ptr<Generations> generations = {};  // of databases; none: all have their first
};

// The build settings for this account or project (build::Settings::party).
inline build::Settings built_for(const AppsConfig& config, const std::string& party) {
    build::Settings out = config.build;
    out.party = party;
    return out;
}

struct ApplyOutcome {
    enum class Status { applied, previewed, invalid, hand_edited, failed } status = Status::failed;
    std::vector<std::string> edited;        // hand_edited: generated files that a person changed
    diag::Findings findings;                // invalid; or warnings
    std::optional<StageName> failed_stage;  // failed
    std::string error;
    std::vector<migrate::Change> plan;
    std::vector<migrate::Leftover> unmanaged;  // in the database, but in no contract
    double build_seconds = 0, swap_ms = 0;
    unsigned units = 0, cached = 0;
    std::int64_t version = 0;
    std::string summary;            // one sentence
    std::string exposure = "null";  // what of it changes, as JSON text: apps/check/exposure.hpp
};

struct CheckOutcome {
    diag::Findings findings;
    std::string exposure = "null";  // what of it changes against what is live, as JSON text
    std::string matrix = "null";    // all of it, as JSON text; null if there are errors
    std::string schedules = "[]";   // JSON text: apps/schedules.hpp
    std::string table;              // the same to read
    std::string pages = "null";     // standard ones as a contract has them, as JSON text
};

struct LiveContract {
    std::int64_t version = 0;
    std::string text;  // as its author wrote it
};

struct AppState {
    bool built = false;
    bool live = false;
    std::int64_t version = 0;
    std::optional<std::string> last_error;  // last build failure or crash
    std::optional<std::string> contract;    // text as applied
    std::vector<migrate::Pending> pending;  // what large tables still need
};

class Store;
class Lease;
struct Release;
class Snapshots;
struct SnapshotRecord;
struct SnapshotRequest;
struct RestoreOutcome;
struct ApplyServices;
struct AppDatabase;
struct DemoRefusal;

// The purpose of a project's change.
struct Purpose {
    LeaseKind kind;
    std::string user;  // account; empty: svcd itself
    Env env = Env::dev;
    std::string subject = {};  // id of the deployment or snapshot that it is about
};

class Apps {
  public:
    // `holder` names the data folder, as leases do.
    Apps(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder);
    ~Apps();

    // First call after the start of svcd: completes or undoes what an earlier svcd left incomplete.
    void recover();
    // Second call: starts the server of every project that has an app, or takes over the running
    // one. If an app's database does not answer, tries again every few seconds.
    void resume(const std::vector<ProjectRef>& projects);

    // The right to change a project's app while the object lives. Null while somebody else has it.
    // First completes or undoes what an earlier holder left incomplete. Blocking; worker threads
    // only.
    std::unique_ptr<Lease> take(const ProjectRef& project, const Purpose& purpose);
    // Blocking; worker threads only. Generated files that were edited by hand stop it, unless
    // `force`: then they are kept as backups.
    ApplyOutcome apply(Lease& lease, const std::string& contract, bool force,
                       const std::vector<KeyRecord>& keys,
                       const std::function<void(const Stage&)>& progress,
                       const std::vector<migrate::Replaced>& replaced = {});
    // As apply, to another environment than dev: publishes what dev has, or had.
    ApplyOutcome release(Lease& lease, const std::string& contract, const Release& release,
                         const std::vector<KeyRecord>& keys,
                         const std::function<void(const Stage&)>& progress);
    // Copies of databases (apps/database/snapshots.hpp), and a way back to one
    // (apps/apply/restore.hpp). What is copied is built. Blocking; worker threads only.
    SnapshotRecord take_snapshot(const SnapshotRequest& wanted) const;
    Snapshots snapshots() const;
    RestoreOutcome restore(Lease& lease, const SnapshotRecord& snapshot, const std::string& user,
                           const std::function<void(const Stage&)>& progress);
    // `called` runs on worker threads whenever a name gets another target.
    void on_published(std::function<void()> called);
    // Finds what an apply would change, and changes nothing. `party`: the caller
    // (gates/permit.hpp). Blocking; worker threads only.
    ApplyOutcome preview(const ProjectRef& project, const std::string& contract, bool sets_secrets,
                         const std::string& party,
                         const std::vector<migrate::Replaced>& replaced = {}) const;
    // Finds what a deploy of this contract to an environment would change. Blocking; worker threads
    // only.
    ApplyOutcome preview_release(const ProjectRef& project, Env env, const std::string& contract,
                                 const std::string& party) const;
    // The base of patches: the present contract of the dev database (none before the first apply),
    // and a table there. Blocking; worker threads only.
    std::optional<LiveContract> current_contract(const std::string& project) const;
    Unmanaged unmanaged(const std::string& project, const std::string& table) const;
    // All findings, no side effects. Blocking: a PostgreSQL proves queries. `sets_secrets`: the
    // caller may say where secrets are sent. `party`: the caller (gates/permit.hpp).
    CheckOutcome check(const std::string& project, const std::string& contract, bool sets_secrets,
                       const std::string& party) const;

    // The services that verifications use (verify/verify.hpp).
    ApplyServices services();

    // Runs SQL that adds tables beside the contract's to the dev database, whole or not at all; no
    // apply of the project runs meanwhile. Nothing: it ran. Blocking; worker threads only.
    std::optional<Error> add_unmanaged_tables(const ProjectRef& project, const std::string& sql);

    // Resets the rows of the dev environment to the seeds, completely or not at all; no apply of
    // the project runs meanwhile. Nothing: it was done. Blocking; worker threads only.
    std::optional<DemoRefusal> reset_demo(const ProjectRef& project, const std::string& user);

    // Brings a project's keys from the platform to the databases of its app and waits (at most two
    // seconds) until its servers have read them: where it returns true, a revoked key is dead.
    // Where false, it is tried again every few seconds until they have. Throws pqxx::failure where
    // the platform's database is away. Blocking; worker threads only.
    bool share_keys(const std::string& project);
    // Sends the app's servers the secrets of the project that they need, in environments with an
    // applied contract. False if a database of the app does not have them; svcd then keeps trying.
    // Throws pqxx::failure if the platform's database cannot be reached. Blocking.
    bool share_secrets(const std::string& project);
    AppState state(const std::string& project, Env env = Env::dev) const;
    // Administrator connection to the project's database; empty before the first apply.
    std::string database_url(const std::string& project, Env env) const;
    // The secret with which its server seals and signs.
    std::string secret_of(const std::string& project, Env env) const;
    // The database with the role of developers' SQL, which is made if it does not exist; `error` is
    // set if the administrator may not make it. None before the first apply. Blocking.
    std::optional<AppDatabase> sql_access(const std::string& project, Env env,
                                          std::string& error) const;
    // The files that an environment's servers write: their log, and the ring of the last requests.
    struct Traces {
        std::string log, requests;  // paths
    };
    Traces traces(const std::string& project, Env env) const;
    // Where the files that were generated for dev are: manifest.json, client/, openapi.json, …
    std::string generated_folder(const std::string& project) const;
    // Ends an environment other than dev: its names lead nowhere, its server stops, its database is
    // dropped. Its history stays. Blocking; worker threads only.
    void unpublish(Lease& lease);
    // Stops the server, drops the databases and deletes the project. Blocking; worker threads only.
    void remove(Lease& lease);

    // io thread only. live() is true if an app belongs, also while its server is starting again.
    // pass() gives the connection to the live server of this environment; while one is
    // starting it waits for it (at most 30 seconds). Where there is none it answers 503 itself.
    bool live(const std::string& project, Env env) const;
    void pass(const std::string& project, Env env, http::Connection connection);
    // A connection whose next request is not the app's comes back through this.
    void on_returned(std::function<void(http::Connection)> take);
    // The sockets of control connections (http/listen/control.hpp), as Supervisor gives them.
    std::map<AppId, std::string> sockets() const;
    // The same; blocking, worker threads only.
    std::map<AppId, std::string> sockets_now() const;
    void on_socket(std::function<void(const AppId&, const std::optional<std::string>&)> called);

    // Stops every app server (drains, then ends it). Blocks until they are gone or 10 s have
    // passed.
    void shutdown();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::devapi
