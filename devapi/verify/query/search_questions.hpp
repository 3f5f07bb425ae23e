// The searches of the check: words from rows of the clone.
#pragma once

#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

// The plan of an entity's search, and PostgreSQL's configuration for it as SQL.
const plan::ServedSearch& search_plan(const Subject& subject, std::size_t entity);
std::string search_config(const Subject& subject, std::size_t entity);

// In these entities, each question once. Asked as the owner.
std::vector<std::string> search_questions(Subject& subject,
                                          const std::vector<std::size_t>& entities);

}  // namespace svc::devapi::verification
