#include "apps/process/launch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "apps/process/app_places.hpp"
#include "apps/process/app_users.hpp"
#include "common/child.hpp"
#include "settings/origin.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

// sockaddr_un takes 107 bytes, of which "/run/apps/<12 hex>/d-<8 hex>.sock" are 38.
constexpr std::size_t kLongestHome = 69;

// Settings of svcd that app servers get; they get nothing else of its environment.
constexpr const char* kSharedSettings[] = {"PATH",
                                           "SVC_IO_THREADS",
                                           "SVC_DATA_CONNECTIONS",
                                           "SVC_SYSTEM_CONNECTIONS",
                                           "SVC_RATE_SIGNUP",
                                           "SVC_RATE_LOGIN",
                                           "SVC_RATE_MAIL",
                                           "SVC_RATE_HOOK",
                                           "SVC_RATE_UPLOAD",
                                           "SVC_STREAMS",
                                           "SVC_SMTP_URL",
                                           "SVC_TRUSTED_PROXIES"};

// The settings of the store of files. The server of a verification gets none of them: it keeps its
// files on the disk, in a folder that is deleted afterwards.
constexpr const char* kStoreSettings[] = {"S3_ENDPOINT",   "S3_REGION",     "S3_BUCKET",
                                          "S3_ACCESS_KEY", "S3_SECRET_KEY", "S3_PATH_STYLE"};

void hand_to(const fs::path& folder, uid_t user, gid_t group, mode_t mode) {
    if (::lchown(folder.c_str(), user, group) != 0 || ::chmod(folder.c_str(), mode) != 0)
        throw std::system_error(errno, std::generic_category(), folder.string());
}

// The folder of its sockets is the app's own; the standby may pass through it. What an earlier user
// of the app has left there is of no use to it.
void prepare_folders(const Launch& launch) {
    const fs::path sockets = fs::path(launch.socket_stem).parent_path();
    fs::create_directories(sockets);
    fs::create_directories(fs::path(launch.log).parent_path());
    const UnixUser account = unix_account(launch.user), group = unix_account(launch.group);
    if (account.name.empty()) return fs::permissions(sockets, fs::perms::owner_all);
    hand_to(sockets.parent_path(), 0, 0, 0711);
    const bool passed = !group.name.empty();
    hand_to(sockets, account.uid, passed ? group.gid : account.gid, passed ? 0710 : 0700);
    for (const auto& entry : fs::directory_iterator(sockets)) {
        struct stat is {};
        if (::lstat(entry.path().c_str(), &is) == 0 && S_ISREG(is.st_mode) &&
            is.st_uid != account.uid)
            fs::remove(entry.path());
    }
}

// Uploaded files are the app's own, whichever user it runs as. The folders above let it through.
void prepare_files(const AppsConfig& config, const std::string& folder, const UnixUser& account) {
    fs::create_directories(folder);
    if (account.name.empty()) return fs::permissions(folder, fs::perms::owner_all);
    hand_to(config.home + "/files", 0, 0, 0711);
    hand_to(fs::path(folder).parent_path(), 0, 0, 0711);
    struct stat is {};
    const bool same = ::lstat(folder.c_str(), &is) == 0 && is.st_uid == account.uid;
    hand_to(folder, account.uid, account.gid, 0700);
    if (same) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (::lchown(entry.path().c_str(), account.uid, account.gid) != 0)
            throw std::system_error(errno, std::generic_category(), entry.path().string());
    }
}

void pass_on(std::span<const char* const> names, std::vector<std::string>& out) {
    for (const char* name : names)
        if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
}

// Dozens of requests are in flight together, each with a dozen frames of coroutines of the same
// sizes: glibc's cache of a thread holds seven of a size, and what is beyond costs three times as
// much.
constexpr std::string_view kAllocator = "GLIBC_TUNABLES=glibc.malloc.tcache_count=256";

std::vector<std::string> environment_of(const AppsConfig& config, const ProjectRef& project,
                                        Env env, const AppDatabase& database, const Site& site) {
    const std::string label = site.label.empty() ? "preview-" + project.slug : site.label;
    std::string hosts = label + "." + config.apps_domain;
    for (const auto& domain : site.domains) hosts += "," + domain;
    std::string shared;
    for (const auto& host : config.platform_hosts) shared += (shared.empty() ? "" : ",") + host;
    std::string reachable;
    for (const auto& host : config.private_hosts)
        reachable += (reachable.empty() ? "" : ",") + host;
    std::vector<std::string> out{"DATABASE_URL=" + database.system_url,
                                 "SVC_DATA_URL=" + database.data_url,
                                 "SVC_PROJECT_ID=" + project.id,
                                 "SVC_SECRET=" + app_secret(config.master_key, database.stem),
                                 "SVC_ENV=" + name(env),
                                 "SVC_REQUESTS=" + requests_file(config, project.id, env),
                                 "SVC_ORIGIN=" + app_origin(config, label),
                                 "SVC_HOSTS=" + hosts,
                                 "SVC_PLATFORM_HOSTS=" + shared,
                                 "SVC_ALLOW_PRIVATE_HOSTS=" + reachable,
                                 "SVC_RATE_BROWSER=" + std::to_string(config.rate_browser),
                                 "SVC_RATE_SERVER=" + std::to_string(config.rate_server),
                                 std::string(kAllocator)};
    // Uploads of a verification are deleted with its folder.
    const bool verifies = env == Env::verify;
    out.push_back("SVC_FILES=" + (verifies ? project_folder(config, project.id, env) + "/files"
                                           : files_folder(config.home, project.id, env)));
    pass_on(kSharedSettings, out);
    if (!verifies) pass_on(kStoreSettings, out);
    return out;
}

}  // namespace

UnixUser unix_account(const std::string& user) {
    return user.empty() || geteuid() != 0 ? UnixUser{} : find_user(user);
}

Launch make_launch(const AppsConfig& config, const ProjectRef& project, Env env,
                   const AppDatabase& database, const std::string& binary, const Site& site) {
    Launch launch{binary, environment_of(config, project, env, database, site),
                  socket_stem(config, project.id, env),
                  project_folder(config, project.id, env) + "/server.log", config.app_user};
    if (config.users) {
        launch.user = config.users->of(project.id, env == Env::verify ? "verify" : "app");
        launch.group = config.users->standby();
    }
    if (config.home.size() > kLongestHome)
        throw std::runtime_error("SVC_HOME is too long for the unix sockets inside it (" +
                                 config.home + "). Choose a path of at most " +
                                 std::to_string(kLongestHome) + " bytes.");
    prepare_folders(launch);
    if (env != Env::verify)
        prepare_files(config, files_folder(config.home, project.id, env),
                      unix_account(launch.user));
    return launch;
}

}  // namespace svc::devapi
