// Other databases that contain entities of an app. Their addresses come from secrets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/keys/secrets.hpp"

namespace svc::devapi {

// Connections by the secret's name, for every secret that the plan names and the project has.
std::map<std::string, migrate::Connection> connections_of(const plan::Plan& plan,
                                                          const AppsConfig& config,
                                                          const Secrets& secrets,
                                                          const std::string& project, Env env);

// If another database does not answer, PostgreSQL's text quotes parts of the secret. The author of
// an apply may not know them, so the text is replaced by the kind of the error.
void hide_addresses(diag::Findings& findings);

struct ReachableHosts {
    std::vector<std::string> private_hosts;  // hosts and folders of sockets; "*": every host
    std::string own_server;                  // svc's own PostgreSQL, which nothing may lead to
};

// postgres://user:password@host:port/database, with sslmode if it is wanted. `error` says why it
// may not be used, without any of its text. A host that is private is reached if it is named, or
// "*" is. Only a name opens a socket, or an account without a password.
migrate::Connection read_connection(const std::string& url, const ReachableHosts& reachable);

}  // namespace svc::devapi
