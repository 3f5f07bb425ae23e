// The file types that an app may accept. A contract cannot add others. Source: the specification of
// POST /files/sign. A header alone, as ascii.hpp.
#pragma once

#include <string_view>

namespace svc::base {

inline constexpr std::string_view kKnownMime[] = {
    "image/*",
    "text/*",
    "audio/*",
    "video/*",
    "application/pdf",
    "application/json",
    "application/zip",
    "application/xml",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.presentation"};

}  // namespace svc::base
