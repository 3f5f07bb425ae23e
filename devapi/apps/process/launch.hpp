// Starts one app server, with its settings.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "apps/site.hpp"

namespace svc::devapi {

struct Launch {
    std::string binary;
    std::vector<std::string> environment;  // NAME=value; all that the process gets
    std::string socket_stem;               // each process listens on <stem>-<random>.sock
    std::string log;
    std::string user;        // unix user to become; empty: stays
    std::string name = {};   // that others see of it; empty: the binary's path
    std::string group = {};  // unix group that may connect beside the user; empty: none

    // True if a new start would give the same server.
    bool operator==(const Launch&) const = default;
};

// Makes the folders that it names. `site`: where it answers; without one as dev does. Throws
// std::runtime_error that says what to fix.
Launch make_launch(const AppsConfig& config, const ProjectRef& project, Env env,
                   const AppDatabase& database, const std::string& binary, const Site& site = {});

// Below it the sockets of all app servers.
std::string sockets_folder(const AppsConfig& config);
std::string socket_stem(const AppsConfig& config, const std::string& project, Env env);
// Where an app's servers keep the last requests (ops/request_ring.hpp).
std::string requests_file(const AppsConfig& config, const std::string& project, Env env);
// Uploaded files of an environment. `home`: $SVC_HOME.
std::string files_folder(const std::string& home, const std::string& project, Env env);
// $SVC_HOME/projects/<id>/<env>
std::string project_folder(const AppsConfig& config, const std::string& project, Env env);

// Starts `<binary> --control <socket>` in a session of its own, so that it outlives svcd, with
// the log as its output and no descriptor of svcd. What goes wrong after the fork is in the log;
// the process then ends with 127. Throws std::system_error.
pid_t spawn_server(const Launch& launch, const std::string& socket);

// Lets launch.group connect to a socket that launch.user has made.
void let_in_group(const std::string& socket, const Launch& launch);

// True when this process is a server of the same app, of whatever version and settings.
bool serves_same_app(pid_t pid, const Launch& launch);
// True when this process is what spawn_server() would make of `launch`. A process that may not be
// read: false.
bool was_started_as(pid_t pid, const Launch& launch);

}  // namespace svc::devapi
