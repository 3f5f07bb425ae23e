#include "log/log.hpp"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <string>

#include "base/json_text.hpp"
#include "base/time/utc.hpp"

namespace svc::log {
namespace {

std::string now() {
    timespec at{};
    clock_gettime(CLOCK_REALTIME, &at);
    return base::utc_millis(std::int64_t{at.tv_sec} * 1'000'000 + at.tv_nsec / 1000);
}

}  // namespace

void write(Level level, std::string_view event, std::initializer_list<Field> fields) {
    std::string line = R"({"at":")" + now() + R"(","level":")";
    line += base::word(level);
    line += R"(","event":)";
    base::append_json(line, event);
    for (const Field& field : fields) {
        line += ',';
        base::append_json(line, field.name_);
        line += ':';
        if (field.is_number_)
            line += std::to_string(field.number_);
        else
            base::append_json(line, field.text_);
    }
    line += "}\n";
    // One system call per line. A log that cannot be written must not stop the server.
    [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace svc::log
