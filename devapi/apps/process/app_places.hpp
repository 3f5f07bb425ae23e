// The paths of the files and sockets of an app.
#pragma once

#include <string>

#include "apps/database/database.hpp"

namespace svc::devapi {

// The folder of the sockets of all app servers.
std::string sockets_folder(const AppsConfig& config);
std::string socket_stem(const AppsConfig& config, const std::string& project, Env env);
// The file in which an app's servers keep the last requests (ops/request_ring.hpp).
std::string requests_file(const AppsConfig& config, const std::string& project, Env env);
// Uploaded files of an environment. `home`: $SVC_HOME.
std::string files_folder(const std::string& home, const std::string& project, Env env);
// $SVC_HOME/projects/<id>/<env>
std::string project_folder(const AppsConfig& config, const std::string& project, Env env);

}  // namespace svc::devapi
