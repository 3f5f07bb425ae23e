// What an app's servers themselves must know of their project's secrets: sealed for them, in
// svc.secret of the app's own database, which they read when they need one.
#pragma once

#include <string>

#include "apps/database/database.hpp"
#include "platform/secrets.hpp"

namespace svc::devapi {

// The secrets that the database's contract names ("secret:NAME"), but for addresses of other
// databases, which the owner of the schema alone uses; SMTP_URL; and the model provider's. Names
// that have no value are gone from there afterwards. Of calls at once the later one tells what is
// so by then. Nothing if the database has no such table yet. Throws pqxx::failure.
void tell_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                  const std::string& env, const AppDatabase& database);
void tell_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                  const std::string& env);

}  // namespace svc::devapi
