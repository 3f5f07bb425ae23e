#include "model/page/icons.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/nearest.hpp"

namespace svc::model {

// The names of runtime-support/page/html/icons.cpp.
const std::vector<std::string>& icon_names() {
    static const std::vector<std::string> kNames = {"activity",
                                                    "archive",
                                                    "arrow-down",
                                                    "arrow-up",
                                                    "award",
                                                    "badge-check",
                                                    "bell",
                                                    "book",
                                                    "book-open",
                                                    "bookmark",
                                                    "box",
                                                    "boxes",
                                                    "briefcase",
                                                    "building",
                                                    "building-2",
                                                    "calendar",
                                                    "calendar-days",
                                                    "camera",
                                                    "car",
                                                    "chart-bar",
                                                    "chart-line",
                                                    "chart-pie",
                                                    "check",
                                                    "circle",
                                                    "circle-alert",
                                                    "circle-check",
                                                    "circle-dot",
                                                    "circle-help",
                                                    "circle-user",
                                                    "clipboard",
                                                    "clipboard-list",
                                                    "clock",
                                                    "cloud",
                                                    "coffee",
                                                    "contact",
                                                    "credit-card",
                                                    "database",
                                                    "dollar-sign",
                                                    "file",
                                                    "file-text",
                                                    "files",
                                                    "flag",
                                                    "folder",
                                                    "folder-open",
                                                    "gauge",
                                                    "gift",
                                                    "globe",
                                                    "graduation-cap",
                                                    "hammer",
                                                    "hash",
                                                    "headphones",
                                                    "heart",
                                                    "heart-pulse",
                                                    "history",
                                                    "hospital",
                                                    "house",
                                                    "image",
                                                    "inbox",
                                                    "info",
                                                    "key",
                                                    "layers",
                                                    "layout-dashboard",
                                                    "layout-grid",
                                                    "leaf",
                                                    "library",
                                                    "lightbulb",
                                                    "link",
                                                    "list",
                                                    "list-checks",
                                                    "list-todo",
                                                    "lock",
                                                    "log-in",
                                                    "log-out",
                                                    "mail",
                                                    "map",
                                                    "map-pin",
                                                    "megaphone",
                                                    "menu",
                                                    "message-circle",
                                                    "message-square",
                                                    "mic",
                                                    "monitor",
                                                    "music",
                                                    "newspaper",
                                                    "notebook",
                                                    "package",
                                                    "package-check",
                                                    "palette",
                                                    "paperclip",
                                                    "pencil",
                                                    "percent",
                                                    "phone",
                                                    "pill",
                                                    "plane",
                                                    "play",
                                                    "plus",
                                                    "printer",
                                                    "puzzle",
                                                    "receipt",
                                                    "refresh-cw",
                                                    "repeat",
                                                    "rocket",
                                                    "scale",
                                                    "school",
                                                    "scissors",
                                                    "search",
                                                    "send",
                                                    "server",
                                                    "settings",
                                                    "shield",
                                                    "shield-check",
                                                    "ship",
                                                    "shopping-bag",
                                                    "shopping-basket",
                                                    "shopping-cart",
                                                    "sliders-horizontal",
                                                    "smartphone",
                                                    "sparkles",
                                                    "square-check",
                                                    "star",
                                                    "stethoscope",
                                                    "store",
                                                    "sun",
                                                    "syringe",
                                                    "tag",
                                                    "tags",
                                                    "target",
                                                    "ticket",
                                                    "timer",
                                                    "trash",
                                                    "trending-up",
                                                    "triangle-alert",
                                                    "trophy",
                                                    "truck",
                                                    "umbrella",
                                                    "user",
                                                    "user-check",
                                                    "user-plus",
                                                    "users",
                                                    "utensils",
                                                    "video",
                                                    "wallet",
                                                    "warehouse",
                                                    "wifi",
                                                    "wrench",
                                                    "x",
                                                    "zap"};
    return kNames;
}

namespace {

constexpr std::size_t kMostLike = 3;

// Words that other sets of icons have for what Lucide calls otherwise.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"home", "house"},        {"dashboard", "layout-dashboard"},
    {"email", "mail"},        {"envelope", "mail"},
    {"person", "user"},       {"people", "users"},
    {"group", "users"},       {"gear", "settings"},
    {"cog", "settings"},      {"cart", "shopping-cart"},
    {"edit", "pencil"},       {"delete", "trash"},
    {"money", "dollar-sign"}, {"chat", "message-circle"},
    {"help", "circle-help"},  {"picture", "image"},
    {"photo", "image"},       {"time", "clock"},
    {"date", "calendar"},     {"document", "file-text"},
    {"invoice", "receipt"},   {"graph", "chart-line"},
    {"location", "map-pin"},  {"warning", "triangle-alert"}};

constexpr std::size_t kUnlike = 1000;

std::set<std::string> words_of(const std::string& name) {
    std::set<std::string> out;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find_first_of("-_ ", at), name.size());
        out.insert(base::lower(name.substr(at, end - at)));
        at = end + 1;
    }
    return out;
}

// The lower, the more alike.
std::size_t distance_of(const std::string& name, const std::string& icon) {
    for (const auto& [other, own] : kOtherWords)
        if (name == other && icon == own) return 0;
    const std::set<std::string> words = words_of(name), own = words_of(icon);
    if (words == own) return 0;
    const std::size_t far =
        name.size() > base::kLongestName ? kUnlike : base::edit_distance(name, icon);
    if (far <= name.size() / 3) return far;
    const bool shared = std::any_of(own.begin(), own.end(),
                                    [&](const std::string& word) { return words.contains(word); });
    return shared ? 2 : kUnlike;
}

}  // namespace

std::string icons_like(const std::string& name) {
    std::vector<std::pair<std::size_t, std::string>> like;
    for (const std::string& icon : icon_names())
        if (const std::size_t far = distance_of(name, icon); far < kUnlike)
            like.emplace_back(far, icon);
    if (like.empty()) return "docs/contract-pages.md lists the icons";
    std::stable_sort(like.begin(), like.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    like.resize(std::min(like.size(), kMostLike));
    std::string out = "did you mean ";
    for (std::size_t i = 0; i < like.size(); ++i) {
        if (i > 0) out += i + 1 == like.size() ? " or " : ", ";
        out += "\"" + like[i].second + "\"";
    }
    return out + "?";
}

}  // namespace svc::model
