#include "operate/tail/tail_line.hpp"

namespace svc::devapi {
namespace {

constexpr char kBetween = '~';

}  // namespace

std::string tail_place(std::string_view kind, const TailPlace& place) {
    return std::string(kind) + kBetween + place.source + kBetween + place.position;
}

std::optional<TailPlace> read_tail_place(std::string_view kind, std::string_view id) {
    const auto first = id.find(kBetween);
    if (first == id.npos || id.substr(0, first) != kind) return std::nullopt;
    const auto second = id.find(kBetween, first + 1);
    if (second == id.npos) return std::nullopt;
    return TailPlace{std::string(id.substr(first + 1, second - first - 1)),
                     std::string(id.substr(second + 1))};
}

}  // namespace svc::devapi
