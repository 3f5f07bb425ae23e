#include "model/routes.hpp"

#include <algorithm>

#include "contract/shape.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxRoute = 200;

std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> out;
    for (std::size_t at = 1; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        out.emplace_back(path.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

bool is_word(std::string_view piece) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
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
    std::vector<std::string> pieces = split(route);
    const bool sound =
        !route.ends_with('/') && std::all_of(pieces.begin(), pieces.end(), [](const auto& piece) {
            return is_word(piece) || is_parameter(piece);
        });
    if (!sound) return std::nullopt;
    return pieces;
}

bool leads_to(std::string_view link, std::string_view route) {
    link = link.substr(0, link.find_first_of("?#"));
    const std::vector<std::string> from = link == "/" ? std::vector<std::string>{} : split(link);
    const std::vector<std::string> to = route == "/" ? std::vector<std::string>{} : split(route);
    return std::equal(from.begin(), from.end(), to.begin(), to.end(),
                      [](const std::string& given, const std::string& wanted) {
                          if (wanted.starts_with(':')) return !given.empty();
                          return given == wanted;
                      });
}

}  // namespace svc::model
