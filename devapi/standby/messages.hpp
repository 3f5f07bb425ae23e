// What svcd and its standby send each other, on a control connection (http/listen/control.hpp) on
// which the standby listens. Beside the messages that app servers know as well ('D', 'R', 'H',
// 'B'):
//
//   to the standby   'L' address + fd   the listening socket, and as what it was asked for
//                    'T' fd             whose a connection is: a RoutingTable, in memory
//                    'S' AppSocket       where an app's server is reached, or one that starts
//                    '?'                asks for the listening socket
//                    'P'                asks whether it is alive
//   to svcd          'R'                it has the socket and the table; also after an 'A'
//                    'A' address + fd   the listening socket; without fd: it has none
//                    'p'                it is alive
//
// The table comes as a descriptor, for it may be larger than a message.
#pragma once

#include <optional>
#include <string>

#include "platform/project/directory.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

struct RoutingTable {
    Config platform;  // where the platform itself answers: address, domain and hosts alone
    Directory::Content directory;
};
std::string to_text(const RoutingTable& table);
// Throws nlohmann::json::exception if it is not one.
RoutingTable read_table(const std::string& text);

struct AppSocket {
    AppId app;
    std::optional<std::string> path;  // empty: there is none just now; none: the app is gone
};
std::string to_text(const AppSocket& socket);
AppSocket read_socket(const std::string& text);  // throws nlohmann::json::exception

// A descriptor that `text` is read from, and back. Throw std::system_error.
int to_memory(const std::string& text);
std::string from_memory(int fd);

}  // namespace svc::devapi
