// The version of the client, as `svc --version` and its requests name it.
#pragma once

namespace svc::cli {

constexpr const char* kVersionLine = "svc 0.1.0";
constexpr const char* kUserAgent = "User-Agent: svc/0.1.0";

}  // namespace svc::cli
