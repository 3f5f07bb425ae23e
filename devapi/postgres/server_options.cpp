#include "postgres/server_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace svc::devapi {
namespace {

// No log has values of callers: no statements, parameters or details of errors. An error's own
// message quotes values too ("invalid input syntax …: "…""), so errors that end only a statement
// are not logged. After a crash PostgreSQL makes its files safe before it replays its log: one sync
// of the file system takes a tenth of what one for each of some thousand files takes. The settings
// are on the command line, so no file and no ALTER SYSTEM can change them.
constexpr const char* kSettings[] = {"listen_addresses=",
                                     "shared_buffers=128MB",
                                     "max_connections=400",
                                     "jit=off",
                                     "synchronous_commit=on",
                                     "recovery_init_sync_method=syncfs",
                                     "timezone=UTC",
                                     "log_timezone=UTC",
                                     "logging_collector=off",
                                     "log_min_messages=log",
                                     "log_min_error_statement=panic",
                                     "log_error_verbosity=terse",
                                     "log_parameter_max_length=0",
                                     "log_parameter_max_length_on_error=0",
                                     "log_statement=none",
                                     "log_duration=off",
                                     "log_min_duration_statement=-1",
                                     "log_min_duration_sample=-1",
                                     "log_transaction_sample_rate=0"};

}  // namespace

std::vector<std::string> server_options() {
    std::vector<std::string> out;
    for (const char* setting : kSettings) out.push_back(std::string("--") + setting);
    return out;
}

// A statement that builds gigabytes of text gets an error; without a limit the kernel would kill
// PostgreSQL for everybody. A page of rows with large links takes a gigabyte for a moment.
std::string data_limit() {
    constexpr std::uint64_t kLeast = std::uint64_t{512} << 20, kMost = std::uint64_t{1536} << 20;
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return "--data=" + std::to_string(std::clamp(pages * size / 4, kLeast, kMost));
}

}  // namespace svc::devapi
