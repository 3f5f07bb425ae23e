// Connection strings of PostgreSQL, keyword form or URI.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace svc::devapi {

// The connection string with another database, in keyword form. Throws std::invalid_argument with
// libpq's text if `url` cannot be read.
std::string with_database(const std::string& url, std::string_view database);

// The connection string with one added or changed setting.
std::string with_setting(const std::string& url, std::string_view keyword, std::string_view value);
// The connection string without one setting, such as the password, which everybody could see among
// a program's arguments.
std::string without_setting(const std::string& url, std::string_view keyword);

// The connection string with another account. No credential of the first account is kept.
std::string with_account(const std::string& url, std::string_view user, std::string_view password);

// The settings of a connection string, by keyword. None if it cannot be read; libpq's text would
// quote it.
using ConninfoSettings = std::map<std::string, std::string>;
std::optional<ConninfoSettings> conninfo_settings(const std::string& url);

// One setting of a connection string, or empty.
std::string conninfo_value(const std::string& url, std::string_view keyword);

}  // namespace svc::devapi
