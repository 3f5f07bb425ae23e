// Other databases that an app's entities are kept in: their addresses come from secrets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/secrets.hpp"

namespace svc::devapi {

// By the secret's name, for every one that the plan names and the project has.
std::map<std::string, migrate::Connection> connections_of(const plan::Plan& plan,
                                                          const AppsConfig& config,
                                                          const Secrets& secrets,
                                                          const std::string& project,
                                                          const std::string& env);

// PostgreSQL's words of another database that does not answer quote the secret's parts. Who applies
// may not know them, so the kind of trouble stands in their place.
void hide_addresses(diag::Findings& findings);

struct Reachable {
    std::vector<std::string> private_hosts;  // hosts and folders of sockets; "*": every host
    std::string own_server;                  // svc's own PostgreSQL, which nothing may lead to
};

// postgres://user:password@host:port/database, with sslmode if it is wanted. `error` says why it
// may not be used, without any of its text. A host that is private is reached if it is named, or
// "*" is. Only a name opens a socket, or an account without a password.
migrate::Connection read_connection(const std::string& url, const Reachable& reachable);

}  // namespace svc::devapi
