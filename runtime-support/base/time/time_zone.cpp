#include "base/time/time_zone.hpp"

#include <algorithm>
#include <filesystem>

namespace svc::base {

namespace {

// Names of files, of which no part begins with a dot or is not a zone's.
bool has_shape(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("/_+-").find(c) != std::string_view::npos;
    };
    constexpr std::string_view kOthers[] = {"posix/", "right/", "posixrules", "localtime",
                                            "leapseconds"};
    const auto begins = [name](std::string_view other) { return name.starts_with(other); };
    return !name.empty() && name.size() <= 64 && name.front() >= 'A' &&
           std::ranges::all_of(name, fits) && std::ranges::none_of(kOthers, begins);
}

}  // namespace

bool is_time_zone(std::string_view name) {
    if (!has_shape(name)) return false;
    // PostgreSQL reads the same database; a machine without one leaves the check to it.
    const std::filesystem::path database = "/usr/share/zoneinfo";
    std::error_code error;
    return std::filesystem::is_regular_file(database / name, error) ||
           !std::filesystem::exists(database / "UTC", error);
}

}  // namespace svc::base
