// The log of a server that we start: opened for it, kept small, and its end shown where it failed.
#pragma once

#include <cstdint>
#include <string>

namespace svc::devapi {

// Opened for appending, made if it is not there. Throws std::system_error.
int open_log(const std::string& path);

std::uint64_t log_size(const std::string& path);

// The last lines written after `from` bytes: at most 20 lines and 4 KiB.
std::string log_tail(const std::string& path, std::uint64_t from);

// Past 4 MiB the last of them go to <path>.1 and the file begins anew: so a log takes 5 MiB and
// what came since the last look. In place, because servers hold it open for appending: what they
// write while it is copied may be lost. Without effect if it cannot be read or written.
void trim_log(const std::string& path);

}  // namespace svc::devapi
