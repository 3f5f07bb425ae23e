// Which version of the live contract a file of this folder comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace svc::cli {

// Whether this folder is the project's.
bool is_linked(const std::string& project);

// None if that is not known, or the folder is not the project's.
std::optional<std::int64_t> base_version(const std::string& project, const std::string& file);

// Notes `version` as the one that `file` comes from. False: the folder is not the project's, so
// nothing was done.
bool remember_base(const std::string& project, const std::string& file, std::int64_t version);

// The contract that was last pulled or applied: a file that equals it has no changes of its own.
constexpr const char* kPulled = ".svc/pulled.json";

}  // namespace svc::cli
