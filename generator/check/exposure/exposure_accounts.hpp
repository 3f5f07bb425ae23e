// The personas that people can get by themselves, and the requirements.
#pragma once

#include "check/exposure/exposure_diff.hpp"
#include "model/model.hpp"

namespace svc::check {

AccountExposure accounts(const model::Model& model);

// Only new seeds count: an account whose seed is removed keeps its persona.
void compare_accounts(const AccountExposure& before, const AccountExposure& after,
                      std::vector<ExposureChange>& out);

}  // namespace svc::check
