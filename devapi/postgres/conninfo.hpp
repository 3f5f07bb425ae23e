// Connection strings of PostgreSQL, keyword form or URI.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace svc::devapi {

// The same server and account, another database; keyword form. Throws std::invalid_argument with
// libpq's words where `url` cannot be read.
std::string with_database(const std::string& url, std::string_view database);

// The same, with one setting more or another.
std::string with_setting(const std::string& url, std::string_view keyword, std::string_view value);
// Without its password, say, which everybody could see among a program's arguments.
std::string without_setting(const std::string& url, std::string_view keyword);

// The same server and database as another account. Nothing of how the first one proves who it is
// travels along.
std::string with_account(const std::string& url, std::string_view user, std::string_view password);

// What a connection string sets, by keyword. None if it cannot be read; libpq's words would
// quote it.
using ConninfoSettings = std::map<std::string, std::string>;
std::optional<ConninfoSettings> conninfo_settings(const std::string& url);

// One setting of a connection string, or empty.
std::string conninfo_value(const std::string& url, std::string_view keyword);

}  // namespace svc::devapi
