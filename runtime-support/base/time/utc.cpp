#include "base/time/utc.hpp"

#include <array>
#include <cstdio>

namespace svc::base {
namespace {

constexpr std::int64_t kMicros = 1'000'000;  // of a second

std::string printed(const char* format, std::time_t at) {
    std::tm utc{};
    ::gmtime_r(&at, &utc);
    std::array<char, 32> out{};
    return {out.data(), std::strftime(out.data(), out.size(), format, &utc)};
}

}  // namespace

std::string utc_seconds(std::time_t at) { return printed("%Y-%m-%dT%H:%M:%S", at); }

std::string utc_compact(std::time_t at) { return printed("%Y%m%dT%H%M%SZ", at); }

std::string utc_millis(std::int64_t at_micros) {
    std::array<char, 8> rest{};
    std::snprintf(rest.data(), rest.size(), ".%03dZ", static_cast<int>(at_micros % kMicros / 1000));
    return utc_seconds(at_micros / kMicros) + rest.data();
}

}  // namespace svc::base
