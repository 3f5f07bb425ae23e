// Compares what one caller may do with one operation in two contracts.
#pragma once

#include <optional>

#include "check/exposure/exposure_diff.hpp"

namespace svc::check {

// The caller of this function sets caller, entity and message. None if nothing changes.
std::optional<ExposureChange> compare_cells(const Cell& before, const Cell& after);

}  // namespace svc::check
