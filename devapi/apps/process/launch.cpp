#include "apps/process/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "apps/process/app_users.hpp"
#include "apps/process/process_files.hpp"
#include "common/child.hpp"
#include "common/server_log.hpp"
#include "log/log.hpp"
#include "settings/origin.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotTheUser = "svcd: could not become the user of app servers\n";
constexpr std::string_view kNotExecuted = "svcd: the server's binary could not be executed\n";
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

// The user of app servers; svcd's own user if svcd cannot change it.
UnixUser account_of(const std::string& user) {
    return user.empty() || geteuid() != 0 ? UnixUser{} : find_user(user);
}

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
    const UnixUser account = account_of(launch.user), group = account_of(launch.group);
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

[[noreturn]] void give_up(std::string_view why) {
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, why.data(), why.size());
    ::_exit(127);
}

// A program, found in its folder: the way there is closed to the user that it runs as.
struct Program {
    explicit Program(const std::string& path)
        : folder(::open(fs::path(path).parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
          name(fs::path(path).filename()) {}
    ~Program() { ::close(folder); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    const int folder;
    const std::string name;
};

// Between fork and exec of a program with threads: system calls alone, nothing that allocates or
// locks. The set…id calls go past glibc, whose own would signal threads that are not there.
[[noreturn]] void become(const UnixUser& account, int null, int log, const Program& program,
                         char* const* argv, char* const* envp) {
    constexpr int kFolder = 3;
    ::setsid();
    ::umask(077);
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    if (program.folder != kFolder) ::dup3(program.folder, kFolder, O_CLOEXEC);
    ::close_range(kFolder + 1, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!account.name.empty() &&
        (::syscall(SYS_setgroups, 0, nullptr) != 0 ||
         ::syscall(SYS_setresgid, account.gid, account.gid, account.gid) != 0 ||
         ::syscall(SYS_setresuid, account.uid, account.uid, account.uid) != 0)) {
        give_up(kNotTheUser);
    }
    ::execveat(kFolder, program.name.c_str(), argv, envp, 0);
    give_up(kNotExecuted);
}

bool is_owned_by(pid_t pid, const UnixUser& account) {
    struct stat owner {};
    return ::stat(("/proc/" + std::to_string(pid)).c_str(), &owner) == 0 &&
           owner.st_uid == (account.name.empty() ? geteuid() : account.uid);
}

}  // namespace

std::string project_folder(const AppsConfig& config, const std::string& project, Env env) {
    return config.home + "/projects/" + project + "/" + name(env);
}

std::string files_folder(const std::string& home, const std::string& project, Env env) {
    return home + "/files/" + project + "/" + name(env);
}

std::string requests_file(const AppsConfig& config, const std::string& project, Env env) {
    return socket_stem(config, project, env) + ".requests";
}

std::string sockets_folder(const AppsConfig& config) { return config.home + "/run/apps/"; }

std::string socket_stem(const AppsConfig& config, const std::string& project, Env env) {
    const std::string folder = sockets_folder(config) + short_id(project);
    if (env == Env::verify) return folder + "y/";  // of another user
    // A letter each, for the room that a socket's path has.
    return folder + (env == Env::dev ? "/d" : env == Env::prod ? "/p" : "/v");
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
        prepare_files(config, files_folder(config.home, project.id, env), account_of(launch.user));
    return launch;
}

pid_t spawn_server(const Launch& launch, const std::string& socket) {
    std::vector<std::string> arguments{launch.name.empty() ? launch.binary : launch.name,
                                       "--control", socket};
    std::vector<std::string> environment = launch.environment;
    const auto argv = pointers(arguments), envp = pointers(environment);
    const UnixUser account = account_of(launch.user);
    const int log = open_log(launch.log);
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const Program program(launch.binary);
    // Our handlers must not run in the child.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) become(account, null, log, program, argv.data(), envp.data());
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(null);
    ::close(log);
    if (pid < 0) throw std::system_error(error, std::generic_category(), "fork");
    return pid;
}

void let_in_group(const std::string& socket, const Launch& launch) {
    if (launch.group.empty()) return;
    // Through its descriptor: the app owns the folder and could replace the file.
    const int fd = ::open(socket.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    struct stat is {};
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    const bool its_own =
        ::fstat(fd, &is) == 0 && S_ISSOCK(is.st_mode) && is.st_uid == account_of(launch.user).uid;
    const bool done = its_own &&
                      ::fchownat(fd, "", static_cast<uid_t>(-1), account_of(launch.group).gid,
                                 AT_EMPTY_PATH) == 0 &&
                      ::chmod(path.c_str(), 0660) == 0;
    ::close(fd);
    if (!done) log::write(log::Level::warning, "standby_not_let_in", {{"socket", socket}});
}

bool serves_same_app(pid_t pid, const Launch& launch) {
    const fs::path folder = fs::weakly_canonical(launch.binary).parent_path();
    return is_owned_by(pid, account_of(launch.user)) &&
           fs::path(executable_of(pid)).parent_path() == folder;
}

bool was_started_as(pid_t pid, const Launch& launch) {
    std::string environment;
    for (const auto& entry : launch.environment) environment += entry + '\0';
    return is_owned_by(pid, account_of(launch.user)) &&
           executable_of(pid) == fs::weakly_canonical(launch.binary).string() &&
           process_file(pid, "environ") == environment;
}

}  // namespace svc::devapi
