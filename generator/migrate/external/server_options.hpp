// The options of a server, or of an account on it, as PostgreSQL keeps them and as SQL sets them.
#pragma once

#include <map>
#include <optional>
#include <pqxx/pqxx>
#include <string>

namespace svc::migrate {

using Options = std::map<std::string, std::string>;  // by name

// None if there is no such server.
std::optional<Options> server_options(pqxx::transaction_base& tx, const std::string& server);
// None if the role has no account on that server.
std::optional<Options> account_options(pqxx::transaction_base& tx, const std::string& server,
                                       const std::string& role);

// For ALTER … OPTIONS: add host 'a', set port '5', drop dbname; empty if nothing differs.
std::string altered(pqxx::transaction_base& tx, const Options& now, const Options& wanted);
// For CREATE … OPTIONS: host 'a', port '5'.
std::string created(pqxx::transaction_base& tx, const Options& wanted);

}  // namespace svc::migrate
