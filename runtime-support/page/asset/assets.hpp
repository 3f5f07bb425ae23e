// Files that pages load. Each name contains a hash of the content, so browsers may cache it for
// ever.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.hpp"
#include "svc/page.hpp"

namespace svc::page {

struct Asset {
    std::string_view name;  // as the source calls it: style.css
    std::string path;       // /assets/<hash>.css
    std::string_view content_type;
    std::string body;
};

inline constexpr std::string_view kStylesheet = "style.css";
inline constexpr std::string_view kIcon = "icon.svg";  // of the browser's tab
inline constexpr std::string_view kScript = "app.js";  // of every page

inline constexpr std::string_view kScriptType = "text/javascript; charset=utf-8";

// Made once a process: it serves one app.
const std::vector<Asset>& assets(const Site& site);
// The path at which pages find the asset of this name; empty: there is none.
std::string_view asset_path(const Site& site, std::string_view name);
// Answers with a file whose name is its content's.
void send_asset(http::Reply& reply, std::string_view content_type, std::string_view body);
// Answers with the file. Returns false if there is no such file.
bool answer_asset(const Site& site, http::Exchange& exchange);

}  // namespace svc::page
