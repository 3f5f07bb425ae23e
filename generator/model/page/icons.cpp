#include "model/page/icons.hpp"

namespace svc::model {

// Those of runtime-support/page/icons.cpp.
const std::vector<std::string>& icon_names() {
    static const std::vector<std::string> kNames = {
        "activity", "archive", "arrow-down", "arrow-up", "award", "badge-check", "bell", "book",
        "book-open", "bookmark", "box", "boxes", "briefcase", "building", "building-2",
        "calendar", "calendar-days", "camera", "car", "chart-bar", "chart-line", "chart-pie",
        "check", "circle", "circle-alert", "circle-check", "circle-dot", "circle-help",
        "circle-user", "clipboard", "clipboard-list", "clock", "cloud", "coffee", "contact",
        "credit-card", "database", "dollar-sign", "file", "file-text", "files", "flag", "folder",
        "folder-open", "gauge", "gift", "globe", "graduation-cap", "hammer", "hash", "headphones",
        "heart", "heart-pulse", "history", "hospital", "house", "image", "inbox", "info", "key",
        "layers", "layout-dashboard", "layout-grid", "leaf", "library", "lightbulb", "link",
        "list", "list-checks", "list-todo", "lock", "log-in", "log-out", "mail", "map", "map-pin",
        "megaphone", "menu", "message-circle", "message-square", "mic", "monitor", "music",
        "newspaper", "notebook", "package", "package-check", "palette", "paperclip", "pencil",
        "percent", "phone", "pill", "plane", "play", "plus", "printer", "puzzle", "receipt",
        "refresh-cw", "repeat", "rocket", "scale", "school", "scissors", "search", "send",
        "server", "settings", "shield", "shield-check", "ship", "shopping-bag", "shopping-basket",
        "shopping-cart", "sliders-horizontal", "smartphone", "sparkles", "square-check", "star",
        "stethoscope", "store", "sun", "syringe", "tag", "tags", "target", "ticket", "timer",
        "trash", "trending-up", "triangle-alert", "trophy", "truck", "umbrella", "user",
        "user-check", "user-plus", "users", "utensils", "video", "wallet", "warehouse", "wifi",
        "wrench", "x", "zap"};
    return kNames;
}

}  // namespace svc::model
