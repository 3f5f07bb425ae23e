// Removes what is left of uploads that nobody finished.
#pragma once

#include <chrono>

#include "file/file_context.hpp"

namespace svc::file {

// Sweeps at once and every `pause`, until `io` or the pool goes. Any number of servers may sweep at
// the same time.
Task<> sweep(asio::io_context& io, const FileContext& in, std::chrono::milliseconds pause);

}  // namespace svc::file
