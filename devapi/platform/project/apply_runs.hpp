// The changes of a project and how they ended: apply_run as people see it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

struct ApplyRun {
    std::string id, kind, stage, started_at;
    std::string status;                      // running, applied, invalid, refused, failed
    std::int64_t version = 0;                // 0: none
    std::string ended_at, error, recovered;  // empty: not, none, not
};

std::vector<ApplyRun> last_runs(Store& store, const std::string& project);  // newest first, ten

}  // namespace svc::devapi
