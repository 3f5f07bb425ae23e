// File types: which are accepted, how they are detected, and as what they are served.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "svc/app.hpp"

namespace svc::file {

// The type in lower case, without parameters. Empty if the text is not a type.
std::string normal_type(std::string_view text);

// True if the type is in the app's list and in base::kKnownMime.
bool is_allowed(const FileRules& rules, std::string_view type);

// The type to record for a file, from its declared type and its detected type; nothing if the two
// do not fit together. The detected type counts, except for texts, archives and sound, whose exact
// type cannot be detected. `declared` may be empty: not known.
std::optional<std::string> type_to_keep(const FileRules& rules, std::string_view declared,
                                        std::string_view found);

// How a file of this type is served: scripts, styles and markup as plain text, and only pictures
// and PDF inline.
struct Served {
    std::string content_type;
    bool is_inline = false;
};
Served served_as(std::string_view type);

// The type that libmagic finds in the first bytes. Blocks; from any thread. Throws
// std::runtime_error if the library cannot be loaded.
std::string found_type(std::string_view head);
inline constexpr std::size_t kHeadBytes = 64 * 1024;  // as many as it is shown

}  // namespace svc::file
