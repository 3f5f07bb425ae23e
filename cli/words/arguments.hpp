// Arguments that several commands take.
#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace svc::cli {

// --env dev|prod
CLI::App* take_environment(CLI::App* command, std::string& env);

// JSON itself, or @file; @- is standard input. None: refused, with the argument's name.
std::optional<nlohmann::json> json_argument(const CliContext& context, const std::string& given,
                                            const char* name);

// "?a=b&c=d" of those that are not empty; empty if all are.
std::string query_text(std::initializer_list<std::pair<const char*, std::string>> parameters);

}  // namespace svc::cli
