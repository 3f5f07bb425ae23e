// The header Upload-Metadata of a resumable upload. Source: https://tus.io, protocol 1.0, creation.
#pragma once

#include <string>
#include <string_view>

namespace svc::file {

// The value of this name: "filename d29ybGQ=,filetype aW1hZ2UvcG5n". Empty where there is none, or
// it is no Base64.
std::string upload_metadata(std::string_view line, std::string_view name);

// The whole header, as the answer to a HEAD repeats it. Empty if it contains other characters than
// those of keys and Base64, spaces and commas.
std::string kept_metadata(std::string_view line);

}  // namespace svc::file
