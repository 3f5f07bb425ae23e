// The usage of an app's models, for developers. Blocking; `database` is an administrator
// connection.
#pragma once

#include <string>

namespace svc::devapi {

// [{day, spent, reserved, models: [{kind, model, calls, failed, promptTokens, completionTokens,
// estimated}], users: [{userId, spent}]}], the newest day first; users who spent most. Empty where
// an earlier compiler built the app.
std::string ai_usage_json(const std::string& database, int days);

}  // namespace svc::devapi
