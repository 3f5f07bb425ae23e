// The administrator of the PostgreSQL that svcd runs: its name, its password, and its set-up.
#pragma once

#include <string>

namespace svc::devapi {

constexpr const char* kAdministrator = "svc_admin";

// The administrator's password, derived from the master key.
std::string admin_password(const std::string& master_key);

// The functions below throw std::runtime_error that names the failed step.

// Sets the administrator's password. PostgreSQL must still let svcd in, without a password or with
// the one before.
void set_password(const std::string& admin_url, const std::string& password);
// Sets the password that belongs to this key.
void set_admin_password(const std::string& admin_url, const std::string& master_key);
// Closes the databases that PostgreSQL creates and that everybody may connect to: apps have their
// own databases.
void close_common_databases(const std::string& admin_url);

}  // namespace svc::devapi
