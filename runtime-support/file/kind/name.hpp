// File names that users chose. They are shown and sent, but are never part of a path.
#pragma once

#include <string>
#include <string_view>

namespace svc::file {

// The name without folders, control characters and marks that change the direction of text: valid
// UTF-8 of at most 200 bytes, ending included. "file" if nothing is left.
std::string clean_name(std::string_view sent);

// Content-Disposition (RFC 6266), with the name in ASCII and in UTF-8. `kind`: inline, attachment.
std::string disposition(std::string_view kind, std::string_view name);

}  // namespace svc::file
