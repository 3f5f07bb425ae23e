#include "page/assets.hpp"

#include "base/sha256.hpp"
#include "page/style.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kHash = 16;  // hex digits that stand in a name

std::string path_of(std::string_view content, std::string_view ending) {
    return "/assets/" + base::sha256_hex(content).substr(0, kHash) + std::string(ending);
}

Assets made(const Site& site) {
    Assets out;
    out.style = stylesheet(site);
    out.style_path = path_of(out.style, ".css");
    const std::string colour(site.accent.empty() ? "#3a5bd9" : site.accent);
    out.icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" )"
               R"(height="32" rx="8" fill=")" +
               colour + R"("/><circle cx="16" cy="16" r="6" fill="#fff"/></svg>)";
    out.icon_path = path_of(out.icon, ".svg");
    return out;
}

}  // namespace

const Assets& assets(const Site& site) {
    static const Assets kAssets = made(site);
    return kAssets;
}

bool answer_asset(const Site& site, http::Exchange& exchange) {
    const Assets& all = assets(site);
    const std::string_view path = exchange.head().path;
    const bool style = path == all.style_path;
    if (!style && path != all.icon_path) return false;
    http::Reply& reply = exchange.reply();
    reply.content_type = style ? "text/css; charset=utf-8" : "image/svg+xml";
    reply.header("Cache-Control", "public, max-age=31536000, immutable");
    reply.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    reply.body = style ? all.style : all.icon;
    return true;
}

}  // namespace svc::page
