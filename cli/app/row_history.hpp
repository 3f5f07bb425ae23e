// Prints the history of a row on the terminal.
#pragma once

#include "cli/context.hpp"

namespace svc::cli {

struct HistoryOptions {
    std::string table, id, limit, before, env;
};

// The exit code.
int show_history(CliContext& context, const HistoryOptions& options);

}  // namespace svc::cli
