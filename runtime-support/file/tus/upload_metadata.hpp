// The header Upload-Metadata of a resumable upload. Source: https://tus.io, protocol 1.0, creation.
#pragma once

#include <string>
#include <string_view>

namespace svc::file {

// The value of this name: "filename d29ybGQ=,filetype aW1hZ2UvcG5n". Empty where there is none, or
// it is no Base64.
std::string upload_metadata(std::string_view line, std::string_view name);

}  // namespace svc::file
