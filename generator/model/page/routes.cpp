#include "model/page/routes.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/parts.hpp"
#include "contract/shape/shape.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxRoute = 200;

// "orders" of "/orders/:id".
std::string_view first_piece(std::string_view path) {
    path.remove_prefix(1);
    return path.substr(0, path.find('/'));
}

bool is_word(std::string_view piece) {
    const auto plain = [](char c) { return base::is_lower(c) || base::is_digit(c); };
    return !piece.empty() && plain(piece.front()) &&
           std::all_of(piece.begin(), piece.end(),
                       [&](char c) { return plain(c) || c == '-' || c == '_'; });
}

bool is_parameter(std::string_view piece) {
    return piece.starts_with(':') && contract::is_identifier(piece.substr(1));
}

}  // namespace

std::optional<std::vector<std::string>> route_pieces(std::string_view route) {
    if (route == "/") return std::vector<std::string>{};
    if (!route.starts_with('/') || route.size() > kMaxRoute) return std::nullopt;
    const auto split = base::split(route.substr(1), '/');
    std::vector<std::string> pieces(split.begin(), split.end());
    const bool sound =
        !route.ends_with('/') && std::all_of(pieces.begin(), pieces.end(), [](const auto& piece) {
            return is_word(piece) || is_parameter(piece);
        });
    if (!sound) return std::nullopt;
    return pieces;
}

bool leads_to(std::string_view link, std::string_view route) {
    link = link.substr(0, link.find_first_of("?#"));
    if (link == "/" || route == "/") return link == route;
    while (!link.empty() && !route.empty()) {
        const std::string_view given = first_piece(link);
        const std::string_view wanted = first_piece(route);
        const bool fits = wanted.starts_with(':') ? !given.empty() : given == wanted;
        if (!fits) return false;
        link.remove_prefix(given.size() + 1);
        route.remove_prefix(wanted.size() + 1);
    }
    return link.empty() && route.empty();
}

}  // namespace svc::model
