// The earlier contracts of dev, by version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/store.hpp"

namespace svc::devapi {

struct ContractVersion {
    std::string project_id;
    std::int64_t version = 0;
    std::string contract;                // as its author wrote it, with the seeds that it kept
    std::optional<std::string> by = {};  // address; none if that is not known any more
    std::string at = {};                 // when its apply began
};

// Keeps the live version if it is missing: it was applied before versions were kept.
void keep_live_version(pqxx::work& tx, const ContractVersion& live);
// Keeps the version that the change `run` (of apply_run) will make live. It replaces one of this
// number that never became live. Deletes the oldest ones.
void keep_new_version(pqxx::work& tx, const ContractVersion& fresh, const std::string& run);

// None if it is not stored any more.
std::optional<ContractVersion> find_version(Store& store, const std::string& project,
                                            std::int64_t version);

}  // namespace svc::devapi
