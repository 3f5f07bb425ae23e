// Paths as routes read them: percent-encoding is taken off once, before anything is compared, so
// that all spellings of a path are one (RFC 3986, 6.2.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::http {

// Represents an encoded slash, which is part of its segment. A decoded path has no other NUL: an
// encoded NUL is refused.
inline constexpr char kEncodedSlash = '\0';

// The problem of a path as sent, or empty: a malformed escape, an encoded NUL, bytes that are not
// UTF-8, a segment that is "." or ".." in any spelling.
std::string_view path_fault(std::string_view path);

// The rest of a path after `prefix`, if the prefix ends at a segment; otherwise nothing.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix);

// Decodes a path without fault. Text that is not an escape stays as it is.
std::string decode_path(std::string_view path);

}  // namespace svc::http
