// The exit codes, on which scripts may rely.
#pragma once

namespace svc::cli {

constexpr int kDone = 0;
constexpr int kRefused = 1;  // the server said no, or could not be asked
constexpr int kUsage = 2;    // the command line itself is wrong

}  // namespace svc::cli
