#include "page/asset/assets.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "page/asset/app_script.hpp"
#include "page/asset/style.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kHash = 16;  // hex digits that stand in a name

// Its path ends as its name does.
Asset named(std::string_view name, std::string_view content_type, std::string body) {
    std::string path = "/assets/" + base::sha256_hex(body).substr(0, kHash);
    path += name.substr(name.rfind('.'));
    return {name, std::move(path), content_type, std::move(body)};
}

std::string icon_of(const Site& site) {
    const std::string colour(site.accent.empty() ? "#3a5bd9" : site.accent);
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" )"
           R"(height="32" rx="8" fill=")" +
           colour + R"("/><circle cx="16" cy="16" r="6" fill="#fff"/></svg>)";
}

std::vector<Asset> made(const Site& site) {
    std::vector<Asset> out;
    out.push_back(named(kStylesheet, "text/css; charset=utf-8", stylesheet(site)));
    out.push_back(named(kIcon, "image/svg+xml", icon_of(site)));
    out.push_back(named(kScript, kScriptType, std::string(script::embedded(kScript))));
    if (!site.scripts) return out;
    // These import each other by the names that they have.
    for (const Script& one : *site.scripts)
        out.push_back(
            {one.name, "/assets/" + std::string(one.name), kScriptType, std::string(one.text)});
    return out;
}

}  // namespace

const std::vector<Asset>& assets(const Site& site) {
    static const std::vector<Asset> kAssets = made(site);
    return kAssets;
}

std::string_view asset_path(const Site& site, std::string_view name) {
    const auto& all = assets(site);
    const auto found = std::ranges::find(all, name, &Asset::name);
    return found == all.end() ? std::string_view() : std::string_view(found->path);
}

void send_asset(http::Reply& reply, std::string_view content_type, std::string_view body) {
    reply.content_type = content_type;
    reply.header("Cache-Control", "public, max-age=31536000, immutable");
    reply.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    reply.header("Cross-Origin-Resource-Policy", "same-origin");
    reply.body = body;
}

bool answer_asset(const Site& site, http::Exchange& exchange) {
    const auto& all = assets(site);
    const auto found = std::ranges::find(all, exchange.head().path, &Asset::path);
    if (found == all.end()) return false;
    send_asset(exchange.reply(), found->content_type, found->body);
    return true;
}

}  // namespace svc::page
