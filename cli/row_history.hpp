// Prints the history of a row on the terminal.
#pragma once

#include "cli/session.hpp"

namespace svc::cli {

struct HistoryOptions {
    std::string table, id, limit, before, env;
};

// The exit code.
int show_history(Session& session, const HistoryOptions& options);

}  // namespace svc::cli
