#include "http/request/params.hpp"

#include <algorithm>
#include <cstdint>

#include "base/nearest.hpp"
#include "base/percent.hpp"
#include "http/exchange.hpp"

namespace svc::http {
namespace {

constexpr std::size_t kShown = 60;  // bytes of a name that an answer repeats

// In quotes; of a name that is not a plain text nothing.
std::string param_shown(std::string_view name) {
    const bool plain = std::all_of(name.begin(), name.end(),
                                   [](char c) { return c >= ' ' && c <= '~' && c != '"'; });
    if (name.empty() || !plain) return "with this name";
    return '"' + std::string(name.substr(0, kShown)) + (name.size() > kShown ? "…\"" : "\"");
}

std::string all_params(ParamNames known) {
    if (known.empty()) return "This route takes no parameters.";
    std::string out;
    for (const std::string_view name : known)
        out.append(out.empty() ? "This route takes " : ", ").append(name);
    return out + '.';
}

Error param_refused(std::string_view name, std::string message) {
    Error error{Code::params_invalid, std::move(message)};
    error.field = name.substr(0, kShown);
    return error;
}

Error unknown_param(std::string_view name, ParamNames known) {
    const std::string_view near = base::nearest(name, known);
    std::string message = "This route has no parameter " + param_shown(name) + ". ";
    if (!near.empty()) message += "Did you mean \"" + std::string(near) + "\"? ";
    return param_refused(name, message + all_params(known));
}

}  // namespace

std::optional<Error> check_params(std::string_view query, ParamNames known) {
    std::uint64_t seen = 0;  // by place in `known`
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        std::string_view key = pair.substr(0, pair.find('='));
        std::string decoded;
        if (key.find_first_of("%+") != std::string_view::npos)
            key = decoded = base::percent_decoded(key, true);
        if (pair.empty() || key.starts_with('_')) continue;
        const auto* at = std::find(known.begin(), known.end(), key);
        if (at == known.end()) return unknown_param(key, known);
        const std::uint64_t bit = std::uint64_t{1} << (at - known.begin());
        if ((seen & bit) != 0)
            return param_refused(
                key, "The parameter " + param_shown(key) + " is given twice. Send it once.");
        seen |= bit;
    }
    return std::nullopt;
}

}  // namespace svc::http
