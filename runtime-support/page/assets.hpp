// Files that pages load: each has a name by its content, so browsers keep it for good.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "svc/page.hpp"

namespace svc::page {

struct Assets {
    std::string style, style_path;  // /assets/<hash>.css
    std::string icon, icon_path;    // of the browser's tab
};

// Made once a process: it serves one app.
const Assets& assets(const Site& site);
// True: answered. False: there is no such file.
bool answer_asset(const Site& site, http::Exchange& exchange);

}  // namespace svc::page
