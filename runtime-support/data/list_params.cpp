#include "data/list_params.hpp"

#include <algorithm>
#include <charconv>

#include "http/exchange.hpp"

namespace svc::data {

Result<std::uint64_t> whole_param(std::string_view query, std::string_view name,
                                  std::uint64_t fallback, std::uint64_t least, std::uint64_t most) {
    const http::QueryParam param = http::query_param(query, name);
    if (!param.found) return fallback;
    const std::string& text = param.value;
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    std::uint64_t value = most;
    if (digits) std::from_chars(text.data(), text.data() + text.size(), value);
    if (!digits || value < least) {
        return bad_params(std::string(name) + " takes a whole number from " +
                          std::to_string(least) + " on.");
    }
    return std::min(value, most);
}

Result<std::optional<json::Value>> json_param(std::string_view query, std::string_view name) {
    http::QueryParam param = http::query_param(query, name);
    if (!param.found) return std::optional<json::Value>{};
    json::Parsed parsed = json::parse(param.value);
    if (!parsed.error.empty()) {
        Error error = bad_params(std::string(name) + ": " + parsed.error);
        if (parsed.nul) error.sqlstate = "22P05";
        return error;
    }
    return std::optional<json::Value>(std::move(parsed.value));
}

}  // namespace svc::data
