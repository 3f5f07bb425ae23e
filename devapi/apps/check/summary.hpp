// Describes what an apply did, in one sentence.
#pragma once

#include <string>

#include "apps/apps.hpp"

namespace svc::devapi {

std::string summarise(const ApplyOutcome& outcome);

}  // namespace svc::devapi
