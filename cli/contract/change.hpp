// Changes what is live: the request, its stages as they run, and the result.
#pragma once

#include <optional>

#include "cli/context.hpp"
#include "cli/contract/findings.hpp"

namespace svc::cli {

constexpr int kApplySeconds =
    900;  // a large contract on a slow machine, with a wait for the compiler

struct ChangeOptions {
    bool dry = false, sql = false;
};

// Sends it and shows the outcome, findings beside the text of `file`; where the answer holds a text
// of its own, beside that. What it answered; none if it was refused.
std::optional<nlohmann::json> change(CliContext& context, const Request& request, ContractFile file,
                                     const ChangeOptions& shown);

// Where the app answers now: a sentence. Empty if that cannot be asked.
std::string answers_at(CliContext& context, const std::string& project);

}  // namespace svc::cli
