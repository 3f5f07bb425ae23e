// Pages that are opened in a browser, and what it found on each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "browser/browser.hpp"

namespace svc::devapi::verification {

inline constexpr int kInspectedWidths[] = {1280, 390};

struct Inspection {
    std::string route, path, visitor, session;
    std::string key;                          // of persona, scripts and shape (build/marks.hpp)
    nlohmann::ordered_json answer = nullptr;  // of web/screenshot/tour.mjs; null: not opened
    std::string trouble;                      // why the browser did not show it

    // A script of it may never end.
    bool is_late() const { return answer.contains("late"); }
};

// Opens them, each page once before any is opened again, and begins no other after twenty seconds.
// `port`: that of the door.
void open_in_browser(Browser& browser, int port, std::vector<Inspection>& all);

}  // namespace svc::devapi::verification
