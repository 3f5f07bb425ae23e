// The secrets of the project that an app's servers need: sealed for them in svc.secret of the app's
// own database, which they read when they need one.
#pragma once

#include <string>

#include "apps/database/database.hpp"
#include "platform/keys/secrets.hpp"

namespace svc::devapi {

// Writes the secrets that the database's contract names ("secret:NAME"), except addresses of other
// databases, which only the owner of the schema uses; SMTP_URL; and the model provider's. Names
// without a value are deleted there. Of parallel calls the later one writes the newest values. Does
// nothing if the database has no such table yet. Throws pqxx::failure.
void write_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                   Env env, const AppDatabase& database);
void write_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                   Env env);

}  // namespace svc::devapi
