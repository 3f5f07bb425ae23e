// Changing what is live: the request, its stages as they run, and what came of it.
#pragma once

#include "cli/findings.hpp"
#include "cli/session.hpp"

namespace svc::cli {

constexpr int kApplySeconds =
    900;  // a large contract on a slow machine, with a wait for the compiler

struct Shown {
    bool dry = false, sql = false;
};

// Sends it and shows the outcome, findings beside the text of `file`; where the answer holds a text
// of its own, beside that. The exit code.
int change(Session& session, const Request& request, ContractFile file, const Shown& shown);

}  // namespace svc::cli
