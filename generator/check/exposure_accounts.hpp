// Who comes by which persona without anybody's leave, and with how little.
#pragma once

#include "check/exposure_diff.hpp"
#include "model/model.hpp"

namespace svc::check {

AccountExposure accounts(const model::Model& model);

// Of seeds only what they give: an account whose row is taken out keeps what it has.
void compare_accounts(const AccountExposure& before, const AccountExposure& after,
                      std::vector<ExposureChange>& out);

}  // namespace svc::check
