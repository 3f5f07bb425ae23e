// Asks for passwords and codes: on the terminal, or from standard input.
#pragma once

#include <optional>
#include <string>

namespace svc::cli {

// A secret given as "-" comes from standard input, where no process listing shows it.
std::string secret_of(const std::string& given);

// Asks on the terminal; nothing if standard input is no terminal. `hidden`: typing shows nothing.
std::optional<std::string> ask(const std::string& question, bool hidden);

}  // namespace svc::cli
