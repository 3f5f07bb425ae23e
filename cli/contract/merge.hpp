// Merges the changes of the file with those that became live meanwhile.
#pragma once

#include <cstdint>
#include <string>

#include "cli/context.hpp"
#include "cli/contract/contract_file.hpp"

namespace svc::cli {

enum class MergeOutcome { merged, conflicts, failed };

struct MergeResult {
    MergeOutcome end = MergeOutcome::failed;
    bool own = false;       // the file has changes that are not live
    nlohmann::json answer;  // of the service, if there is one
    Reply reply;
};

// Brings `file`, which comes from version `base`, together with what is live and writes it, unless
// both changed the same thing and `prefer` (mine, theirs) is empty.
MergeResult merge_file(CliContext& context, const std::string& project, const ContractFile& file,
                       std::int64_t base, const std::string& prefer);

}  // namespace svc::cli
