// The trigger of a workflow: as JSON for the database, and in words.
#pragma once

#include <string>

#include "model/model.hpp"

namespace svc::plan {

std::string trigger_json(const model::Model& model, const model::Workflow& workflow);
// "when a row of order is created"
std::string trigger_words(const model::Model& model, const model::Trigger& on);

}  // namespace svc::plan
