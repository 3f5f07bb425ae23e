// Pages that are opened in a browser, and what it said of each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "browser/browser.hpp"

namespace svc::devapi::verification {

inline constexpr int kInspectedWidths[] = {1280, 390};

struct Inspection {
    std::string route, path, visitor, session;
    std::string key;                          // of what was looked at (build/marks.hpp)
    nlohmann::ordered_json answer = nullptr;  // Browser::inspect's; null: not opened
    std::string trouble;                      // why the browser did not answer
};

// In this order, as many as fit into twenty seconds and begin in them. `port`: of the door.
void open_in_browser(Browser& browser, int port, std::vector<Inspection>& all);

}  // namespace svc::devapi::verification
