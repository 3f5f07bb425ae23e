// Whole files in and out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace svc::cli {

enum class FileAccess { owner_only, usual };

// Nothing if there is no such file. Throws std::system_error if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

// Through a temporary file beside it and a rename: a reader sees the old text or the new one. Makes
// the folders on the way (owner_only: for the owner alone). Throws std::system_error.
void write_file(const std::filesystem::path& path, std::string_view text, FileAccess access);

}  // namespace svc::cli
