// The next start times of a contract's scheduled workflows.
#pragma once

#include <string>

#include "apps/database/database.hpp"
#include "plan/plan.hpp"

namespace svc::devapi {

// [{workflow, cron or every, zone, next: [time]}] as JSON text. `live`: the database that the
// contract would be applied to; null: there is none yet. A period that does not change continues
// there; a changed one counts from now. Blocking; throws pqxx::failure.
std::string schedules_json(const plan::Plan& plan, const AppDatabase* live);

}  // namespace svc::devapi
