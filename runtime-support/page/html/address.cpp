#include "page/html/address.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "page/html/html.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kMostMembers = 1000;
constexpr std::size_t kLongestAddress = 2000;

bool holds_trick(std::string_view address) {
    return std::ranges::any_of(address, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7F || c == '\\';
    });
}

bool is_path(std::string_view address) {
    return address.starts_with('/') && !address.starts_with("//") &&
           address.size() <= kLongestAddress;
}

std::string_view first_piece(std::string_view& path) {
    path.remove_prefix(1);
    const std::string_view piece = path.substr(0, path.find('/'));
    path.remove_prefix(piece.size());
    return piece;
}

}  // namespace

bool is_local(std::string_view address) { return is_path(address) && !holds_trick(address); }

bool leads_somewhere(std::string_view address) {
    if (holds_trick(address)) return false;
    if (is_path(address) || address.starts_with('?') || address.starts_with('#')) return true;
    const std::string lower = base::lower(address.substr(0, 8));
    for (const std::string_view scheme : {"http://", "https://", "mailto:", "tel:"})
        if (lower.starts_with(scheme) && address.size() > scheme.size()) return true;
    return false;
}

Members Members::read(std::string_view encoded) {
    Members out;
    while (!encoded.empty() && out.all_.size() < kMostMembers) {
        const std::string_view pair = encoded.substr(0, encoded.find('&'));
        encoded.remove_prefix(std::min(encoded.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const std::string_view value = pair.substr(std::min(pair.size(), equals + 1));
        out.all_.emplace_back(clean_text(base::percent_decoded(pair.substr(0, equals), true)),
                              clean_text(base::percent_decoded(value, true)));
    }
    return out;
}

const std::string* Members::find(std::string_view name) const {
    for (const auto& [key, value] : all_)
        if (key == name) return &value;
    return nullptr;
}

std::string_view Members::text(std::string_view name) const {
    const std::string* found = find(name);
    return found ? std::string_view(*found) : std::string_view();
}

void Members::set(std::string_view name, std::string_view value) {
    for (auto& [key, old] : all_) {
        if (key != name) continue;
        old = value;
        return;
    }
    all_.emplace_back(name, value);
}

void Members::remove(std::string_view name) {
    std::erase_if(all_, [name](const auto& member) { return member.first == name; });
}

std::string Members::encoded() const {
    std::string out;
    for (const auto& [name, value] : all_) {
        if (!out.empty()) out += '&';
        out += base::percent_encoded(name);
        out += '=';
        out += base::percent_encoded(value);
    }
    return out;
}

std::optional<RouteParams> match_route(std::string_view route, std::string_view path) {
    RouteParams out;
    if (route == "/" || path == "/") return route == path ? std::optional(out) : std::nullopt;
    while (!route.empty() && !path.empty()) {
        const std::string_view wanted = first_piece(route);
        const std::string_view given = first_piece(path);
        if (wanted.starts_with(':') && !given.empty())
            out.emplace_back(wanted.substr(1), clean_text(given));
        else if (wanted != given)
            return std::nullopt;
    }
    if (!route.empty() || !path.empty()) return std::nullopt;
    return out;
}

std::string row_address(std::string_view route, std::string_view id) {
    constexpr std::string_view kId = "<id>";
    const std::size_t at = route.find(kId);
    if (at == std::string_view::npos) return std::string(route);
    std::string out;
    out.reserve(route.size() + id.size());
    out += route.substr(0, at);
    base::append_percent_encoded(out, id);
    out += route.substr(at + kId.size());
    return out;
}

}  // namespace svc::page
