#include "data/filter/zone.hpp"

#include "base/time/time_zone.hpp"
#include "http/exchange.hpp"

namespace svc::data::filter {

Result<std::string> asked_zone(std::string_view query, std::string_view usual) {
    http::QueryParam asked = http::query_param(query, "tz");
    if (!asked.found) return std::string(usual);
    if (base::is_time_zone(asked.value)) return std::move(asked.value);
    return bad_params("tz must be the IANA name of a time zone, like Europe/Paris.");
}

// "at time zone" takes the later of two moments.
std::string moment_of(const std::string& local, const std::string& zone) {
    const std::string moment = "((" + local + ") at time zone " + zone + ')';
    const std::string before = '(' + moment + " - interval '1 hour')";
    return "(case when (" + before + " at time zone " + zone + ") >= (" + local + ") then " +
           before + " else " + moment + " end)";
}

}  // namespace svc::data::filter
