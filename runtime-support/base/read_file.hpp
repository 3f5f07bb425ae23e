// The bytes of a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace svc::base {

// Nothing if it is not there or cannot be read; a folder cannot.
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace svc::base
