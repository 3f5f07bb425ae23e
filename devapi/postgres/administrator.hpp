// The administrator of a PostgreSQL that svcd keeps: its name, its password, what it sets up.
#pragma once

#include <string>

namespace svc::devapi {

constexpr const char* kAdministrator = "svc_admin";

// The administrator's password, derived from the master key.
std::string admin_password(const std::string& master_key);

// The functions below throw std::runtime_error that says what could not be done.

// Where one is set, by who is let in without it or with the one before.
void set_password(const std::string& admin_url, const std::string& password);
// From here on the administrator's password is the one of this key.
void set_admin_password(const std::string& admin_url, const std::string& master_key);
// Closes the databases that PostgreSQL creates and that everybody may connect to: apps have their
// own databases.
void close_common_databases(const std::string& admin_url);

}  // namespace svc::devapi
