// Types of files: which are taken, what they are found to be, and as what they are served.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "svc/app.hpp"

namespace svc::file {

// Lower case, without parameters; empty where it is no type.
std::string normal_type(std::string_view text);

// Is the type in the app's list? Types outside base::kKnownMime never are.
bool is_allowed(const FileRules& rules, std::string_view type);

// The type to keep of a file that was declared to be one and was found to be another; nothing where
// they do not fit. What was found counts, except of texts, archives and sound, whose exact type
// nobody can see. `declared` may be empty: not known.
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
