#include "apps/database/connections.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "apps/database/database.hpp"
#include "base/ascii.hpp"
#include "diag/codes.hpp"
#include "postgres/conninfo.hpp"
#include "postgres/reach.hpp"

namespace svc::devapi {
namespace {

const std::set<std::string> kOfServer = {"host", "port", "dbname", "sslmode", "channel_binding"};
const std::set<std::string> kOfAccount = {"user", "password"};

const std::set<std::string> kSslModes = {"disable", "allow",     "prefer",
                                         "require", "verify-ca", "verify-full"};
const std::set<std::string> kBindings = {"disable", "prefer", "require"};

bool allows_all(const std::vector<std::string>& hosts) {
    return std::ranges::find(hosts, "*") != hosts.end();
}

// Our own databases are not to be read past their policies.
bool is_ours(const std::string& database) {
    static const std::regex kOurs("svc_platform|svc_[0-9a-f]+_.*");
    // PostgreSQL cuts a longer name off, and std::regex keeps each character on the stack.
    return std::regex_match(database.substr(0, 63), kOurs);
}

migrate::Connection refused(std::string why) { return {{}, {}, std::move(why)}; }

bool names(const std::vector<std::string>& hosts, const std::string& host) {
    return std::ranges::any_of(hosts,
                               [&host](const std::string& each) { return same_host(each, host); });
}

// If a password has an unescaped @ or /, libpq reads the rest as a host, a port or a database, and
// errors of PostgreSQL would quote it.
bool is_misread(const std::string& url, const ConninfoSettings& settings) {
    const auto begin = url.find("://") + 3;
    const auto path = std::min(url.find('/', begin), url.size());
    const auto query = std::min(url.find('?', path), url.size());
    const std::string_view database = std::string_view(url).substr(path, query - path);
    const auto host = settings.find("host");
    const auto port = settings.find("port");
    return database.find('@') != std::string_view::npos ||
           (host != settings.end() && host->second.find('@', 1) != std::string::npos) ||
           (port != settings.end() && !std::ranges::all_of(port->second, base::is_digit));
}

bool takes_one_of(const std::set<std::string>& known, const ConninfoSettings& settings,
                  const char* name) {
    const auto at = settings.find(name);
    return at == settings.end() || known.contains(at->second);
}

// Checks the address without a server. Empty: it is valid. The message never quotes the address.
std::string wrong_in(const std::string& url, const ConninfoSettings& settings) {
    if (is_misread(url, settings))
        return "its host, port or database cannot be separated from its password. Write @ as %40 "
               "and / as %2F in the user and the password. The port must be a number.";
    if (!takes_one_of(kSslModes, settings, "sslmode"))
        return "its sslmode is not known. Use disable, allow, prefer, require, verify-ca or "
               "verify-full.";
    if (!takes_one_of(kBindings, settings, "channel_binding"))
        return "its channel_binding is not known. Use disable, prefer or require.";
    return {};
}

// Checks that the server may be reached; empty: it may. The checked address is the one that is
// used. A socket, or a server in the private network, may need no password, so only the operator
// can allow it, by naming that host.
std::string reach(migrate::Connection& connection, const ReachableHosts& reachable) {
    const std::string host = connection.server["host"];
    if (leads_to(host, connection.server["port"], reachable.own_server))
        return "it is the address of svc's own PostgreSQL. Use another server.";
    if (names(reachable.private_hosts, host)) {
        connection.account["password_required"] = "false";
        return {};
    }
    if (is_socket(host))
        return "it is a socket. Only the operator may allow that, by adding its folder to "
               "SVC_ALLOW_PRIVATE_HOSTS.";
    if (connection.account["password"].empty())
        return "it has no password. Only the operator may allow that, by adding its host to "
               "SVC_ALLOW_PRIVATE_HOSTS.";
    if (allows_all(reachable.private_hosts)) return {};
    const auto address = public_address(host);
    if (!address)
        return "its host is not known, or it is private. The operator may allow a private host "
               "with SVC_ALLOW_PRIVATE_HOSTS.";
    connection.server["hostaddr"] = *address;
    return {};
}

struct Trouble {
    std::string_view sign, message;
};
constexpr Trouble kTroubles[] = {
    {"could not translate host name", "its host is not known"},
    {"onnection refused", "nothing listens at its host and port"},
    {"authentication failed", "it refuses the account or its password"},
    {"no password supplied", "it asks for a password"},
    {"password is required", "it does not ask for a password, which only the operator may allow"},
    {"pg_hba.conf", "it does not let this account in from this machine"},
    {"not currently accepting connections", "it does not accept connections right now"},
    {"does not exist", "it has no such database or account"},
    {"permission denied", "its account may not read the table"},
    {"SSL", "the two servers do not agree on TLS (sslmode)"},
    {"imeout", "it did not answer in time"},
    {"timed out", "it did not answer in time"},
};

std::string kind_of_trouble(const std::string& words) {
    for (const Trouble& each : kTroubles)
        if (words.find(each.sign) != std::string::npos) return std::string(each.message);
    return "it refused the connection or ended it";
}

}  // namespace

void hide_addresses(diag::Findings& findings) {
    constexpr std::string_view kWords = " PostgreSQL: ";
    for (diag::Finding& each : findings.items()) {
        const auto words = each.message.find(kWords);
        if (each.code != diag::kExternalUnreachable || words == std::string::npos) continue;
        const std::string kind = kind_of_trouble(each.message.substr(words));
        each.message = each.message.substr(0, words) + " What PostgreSQL says: " + kind + ".";
    }
}

migrate::Connection read_connection(const std::string& url, const ReachableHosts& reachable) {
    if (!url.starts_with("postgres://") && !url.starts_with("postgresql://"))
        return refused("it is not an address of a PostgreSQL database.");
    const auto settings = conninfo_settings(url);
    if (!settings) return refused("it cannot be read as an address of a PostgreSQL database.");
    if (std::string why = wrong_in(url, *settings); !why.empty()) return refused(std::move(why));
    migrate::Connection out;
    for (const auto& [name, value] : *settings) {
        if (kOfServer.contains(name))
            out.server[name] = value;
        else if (kOfAccount.contains(name))
            out.account[name] = value;
        else
            return refused("it may only set host, port, database, account and sslmode.");
    }
    if (out.server["host"].empty() || out.server["dbname"].empty() || out.account["user"].empty())
        return refused("it must name a user, a host and a database.");
    if (out.server["host"].find(',') != std::string::npos)
        return refused("it names several hosts. Name one.");
    if (is_ours(out.server["dbname"]))
        return refused("this database belongs to svc itself. Use another one.");
    if (std::string why = reach(out, reachable); !why.empty()) return refused(std::move(why));
    return out;
}

std::map<std::string, migrate::Connection> connections_of(const plan::Plan& plan,
                                                          const AppsConfig& config,
                                                          const Secrets& secrets,
                                                          const std::string& project, Env env) {
    std::map<std::string, migrate::Connection> out;
    for (const plan::External& external : plan.externals) {
        const std::string& name = external.connection;
        if (out.contains(name)) continue;
        if (const auto url = secrets.value(project, name, secrets_env(env)))
            out[name] = read_connection(*url, {config.private_hosts, config.admin_url});
    }
    return out;
}

}  // namespace svc::devapi
