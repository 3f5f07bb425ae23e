// The header Upload-Metadata of a resumable upload. Source: https://tus.io, protocol 1.0, creation.
#pragma once

#include <string>
#include <string_view>

namespace svc::file {

// The value of this name: "filename d29ybGQ=,filetype aW1hZ2UvcG5n". Empty where there is none, or
// it is no Base64.
std::string upload_metadata(std::string_view line, std::string_view name);

// The whole header, as a HEAD tells it again. Empty where it has characters that no header of this
// kind has: keys, Base64, blanks and commas.
std::string kept_metadata(std::string_view line);

}  // namespace svc::file
