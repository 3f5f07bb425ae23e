// The connectors of an app's contract, as its server has them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "json/value.hpp"
#include "svc/sets.hpp"

namespace svc::connector {

struct Auth {
    enum class Type : std::uint8_t { none, bearer, header, basic } type = Type::none;
    std::string secret;  // name of the project's secret
    std::string name;    // header
    std::string user;    // basic
};

struct Action {
    std::string name, label;
    std::string method;
    std::string path;    // begins with a slash; {name} is the property's value
    json::Value schema;  // of the properties; true if there is none
};

struct Integration {
    std::string id, label;
    std::string base_url;  // without a slash at its end
    Auth auth;
    std::vector<Action> actions;

    const Action* find(std::string_view action) const;  // null: there is no such action
};

struct Server {
    std::string id, url;
    Auth auth;
    bool pinned = false;  // its tools must be those of the last apply
};

// An action or tool that may be called from outside, and by whom: <integration>/<action>,
// mcp_<server>_<tool>.
struct AllowedCall {
    std::string name;
    PrincipalSet to = 0;
};

struct Connectors {
    std::vector<Integration> integrations;
    std::vector<Server> servers;
    std::vector<AllowedCall> allowed;

    const Integration* integration(std::string_view id) const;
    const Server* server(std::string_view id) const;
    // The server that a tool's full name names, and the tool's name on that server.
    struct Tool {
        const Server* server = nullptr;
        std::string name;
    };
    Tool tool(std::string_view full_name) const;
    const AllowedCall* allow(std::string_view name) const;
};

// Reads App::connectors. An empty text has no connectors.
Connectors read_connectors(std::string_view text);

std::string full_name(const Server& server, std::string_view tool);

}  // namespace svc::connector

// As contracts name them.
template <>
struct svc::base::Words<svc::connector::Auth::Type> {
    static constexpr std::array<std::string_view, 4> kAll = {"none", "bearer", "header", "basic"};
};
