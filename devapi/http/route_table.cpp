#include "http/route_table.hpp"

#include <optional>

namespace svc::devapi {
namespace {

using Params = std::map<std::string, std::string, std::less<>>;

// Takes the text up to the next slash.
std::string_view next_part(std::string_view& path) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    return part;
}

std::optional<Params> fit(std::string_view pattern, std::string_view path) {
    Params params;
    while (pattern.starts_with('/') && path.starts_with('/')) {
        const std::string_view wanted = next_part(pattern), part = next_part(path);
        if (wanted.starts_with(':')) {
            if (part.empty()) return std::nullopt;
            params.emplace(wanted.substr(1), part);
        } else if (wanted != part) {
            return std::nullopt;
        }
    }
    if (!pattern.empty() || !path.empty()) return std::nullopt;
    return params;
}

}  // namespace

std::string_view name(Need need) {
    switch (need) {
        case Need::nothing:
            return "nothing";
        case Need::any:
            return "any";
        case Need::apply:
            return "apply";
        case Need::deploy:
            return "deploy";
        case Need::session:
            return "session";
        case Need::read:
            return "read";
        case Need::change:
            return "change";
        case Need::read_or_change:
            return "read_or_change";
    }
    return {};
}

Match RouteTable::find(std::string_view method, std::string_view path) const {
    if (method == "HEAD") method = "GET";
    Match match;
    for (const Route& route : routes_) {
        auto params = fit(route.pattern, path);
        if (!params) continue;
        if (route.method == method) return {&route, std::move(*params), {}};
        match.allow.append(match.allow.empty() ? "" : ", ").append(route.method);
    }
    return match;
}

}  // namespace svc::devapi
