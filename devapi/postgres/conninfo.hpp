// Connection strings of PostgreSQL, keyword form or URI.
#pragma once

#include <string>
#include <string_view>

namespace svc::devapi {

// The same server and account, another database; keyword form. Throws std::invalid_argument with
// libpq's words where `url` cannot be read.
std::string with_database(const std::string& url, std::string_view database);

// The same server and database as another account. Nothing of how the first one proves who it is
// travels along.
std::string with_account(const std::string& url, std::string_view user, std::string_view password);

// For a program's arguments, which everybody can see.
std::string without_password(const std::string& url);

// One setting of a connection string, or empty.
std::string conninfo_value(const std::string& url, std::string_view keyword);

}  // namespace svc::devapi
