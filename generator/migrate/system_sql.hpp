// The SQL files of runtime-support/schema, compiled in.
#pragma once

#include <string_view>

namespace svc::migrate {

// The SQL files of every app's database, in the order in which they run.
inline constexpr const char* kSystemFiles[] = {
    "system.sql",     "accounts.sql",    "changes.sql", "files.sql",   "topics.sql",
    "history.sql",    "flow_values.sql", "hooks.sql",   "notices.sql", "ai.sql",
    "connectors.sql", "pages.sql",       "flows.sql",   "runs.sql",    "starts.sql",
    "effects.sql",    "steps.sql",       "walk.sql",    "quick.sql",   "advance.sql",
    "heard.sql",      "consume.sql",     "leases.sql",  "deaths.sql",  "schedules.sql",
    "poll.sql",       "hold.sql",        "held.sql",    "serve.sql",   "payments.sql"};

// The text of one of them, or of "as.sql", by its file name, with :data_role and :system_role still
// in it; empty for any other name.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::migrate
