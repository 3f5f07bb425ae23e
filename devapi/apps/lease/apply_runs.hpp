// The changes of a project and how they ended: apply_run as people see it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/lease/lease_kind.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct ApplyRun {
    std::string id;
    LeaseKind kind;
    LeaseStage stage;
    std::optional<LeaseEnd> end;  // none: it runs
    std::int64_t version;         // 0: none
    std::string started_at, ended_at;
    std::string error;  // empty: none
    Recovered recovered;
};

std::vector<ApplyRun> last_runs(Store& store, const std::string& project);  // newest first, ten

}  // namespace svc::devapi
