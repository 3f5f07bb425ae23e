// The log of a server that svcd starts. Opens it, keeps it small, and reads its end after a
// failure.
#pragma once

#include <cstdint>
#include <string>

namespace svc::devapi {

// Opened for appending, made if it is not there. Throws std::system_error.
int open_log(const std::string& path);

std::uint64_t log_size(const std::string& path);

// The last lines written after `from` bytes: at most 20 lines and 4 KiB.
std::string log_tail(const std::string& path, std::uint64_t from);

// If the log has more than 4 MiB, the last of them go to <path>.1 and the file begins again. So a
// log takes 5 MiB and the text since the last call. The file is truncated in place, because servers
// hold it open for appending: text that they write during the copy may be lost. No effect if it
// cannot be read or written.
void trim_log(const std::string& path);

}  // namespace svc::devapi
