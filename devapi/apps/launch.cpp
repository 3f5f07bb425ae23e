#include "apps/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "apps/origin.hpp"
#include "apps/process_files.hpp"
#include "apps/server_log.hpp"
#include "postgres/child.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotTheUser = "svcd: could not become the user of app servers\n";
constexpr std::string_view kNotExecuted = "svcd: the server's binary could not be executed\n";
// sockaddr_un takes 107 bytes, of which "/run/apps/<12 hex>d-<8 hex>.sock" are 37.
constexpr std::size_t kLongestHome = 70;

// Settings of ours that app servers share; the rest of our environment is not theirs.
constexpr const char* kPassedOn[] = {"PATH",
                                     "SVC_IO_THREADS",
                                     "SVC_DATA_CONNECTIONS",
                                     "SVC_SYSTEM_CONNECTIONS",
                                     "SVC_RATE_SIGNUP",
                                     "SVC_RATE_LOGIN",
                                     "SVC_RATE_MAIL",
                                     "SVC_SMTP_URL",
                                     "SVC_TRUSTED_PROXIES"};

// As whom app servers run; svcd's own user where it could become no other.
UnixUser account_of(const std::string& user) {
    return user.empty() || geteuid() != 0 ? UnixUser{} : find_user(user);
}

// The folder of the sockets is the app user's; the way there must be open to it.
void prepare_folders(const AppsConfig& config, const fs::path& sockets, const fs::path& log) {
    fs::create_directories(sockets);
    fs::create_directories(log.parent_path());
    fs::permissions(sockets, fs::perms::owner_all);
    const UnixUser account = account_of(config.app_user);
    if (!account.name.empty()) {
        fs::permissions(config.home, fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add);
        if (::chown(sockets.c_str(), account.uid, account.gid) != 0)
            throw std::system_error(errno, std::generic_category(), sockets.string());
    }
}

std::vector<std::string> environment_of(const AppsConfig& config, const ProjectRef& project,
                                        const std::string& env, const AppDatabase& database,
                                        const Site& site) {
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
                                 "SVC_ENV=" + env,
                                 "SVC_REQUESTS=" + requests_file(config, project.id, env),
                                 "SVC_ORIGIN=" + app_origin(config, label),
                                 "SVC_HOSTS=" + hosts,
                                 "SVC_PLATFORM_HOSTS=" + shared,
                                 "SVC_ALLOW_PRIVATE_HOSTS=" + reachable,
                                 "SVC_RATE_BROWSER=" + std::to_string(config.rate_browser),
                                 "SVC_RATE_SERVER=" + std::to_string(config.rate_server)};
    for (const char* name : kPassedOn)
        if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
    return out;
}

[[noreturn]] void give_up(std::string_view why) {
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, why.data(), why.size());
    ::_exit(127);
}

// Between fork and exec of a program with threads: system calls alone, nothing that allocates or
// locks. The set…id calls go past glibc, whose own would signal threads that are not there.
[[noreturn]] void become(const UnixUser& account, int null, int log, const char* binary,
                         char* const* argv, char* const* envp) {
    ::setsid();
    ::dup2(null, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::close_range(3, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!account.name.empty() &&
        (::syscall(SYS_setgroups, 0, nullptr) != 0 ||
         ::syscall(SYS_setresgid, account.gid, account.gid, account.gid) != 0 ||
         ::syscall(SYS_setresuid, account.uid, account.uid, account.uid) != 0)) {
        give_up(kNotTheUser);
    }
    ::execve(binary, argv, envp);
    give_up(kNotExecuted);
}

bool is_owned_by(pid_t pid, const UnixUser& account) {
    struct stat owner {};
    return ::stat(("/proc/" + std::to_string(pid)).c_str(), &owner) == 0 &&
           owner.st_uid == (account.name.empty() ? geteuid() : account.uid);
}

}  // namespace

std::string project_folder(const AppsConfig& config, const std::string& project,
                           const std::string& env) {
    return config.home + "/projects/" + project + "/" + env;
}

std::string requests_file(const AppsConfig& config, const std::string& project,
                          const std::string& env) {
    return socket_stem(config, project, env) + ".requests";
}

std::string socket_stem(const AppsConfig& config, const std::string& project,
                        const std::string& env) {
    // d, p, v: a letter each, for the room that a socket's path has; y for a verification's.
    const char letter = env == "preview"  ? 'v'
                        : env == "verify" ? 'y'
                        : env.empty()     ? '\0'
                                          : env.front();
    std::string stem = config.home + "/run/apps/" + short_id(project);
    return letter ? stem + letter : stem;
}

Launch make_launch(const AppsConfig& config, const ProjectRef& project, const std::string& env,
                   const AppDatabase& database, const std::string& binary, const Site& site) {
    Launch launch{binary, environment_of(config, project, env, database, site),
                  socket_stem(config, project.id, env),
                  project_folder(config, project.id, env) + "/server.log", config.app_user};
    if (config.home.size() > kLongestHome)
        throw std::runtime_error("SVC_HOME is too long for unix sockets below it (" + config.home +
                                 "): choose a path of at most " + std::to_string(kLongestHome) +
                                 " bytes.");
    prepare_folders(config, fs::path(launch.socket_stem).parent_path(), launch.log);
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
    // Our handlers must not run in the child.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) become(account, null, log, launch.binary.c_str(), argv.data(), envp.data());
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(null);
    ::close(log);
    if (pid < 0) throw std::system_error(error, std::generic_category(), "fork");
    return pid;
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
