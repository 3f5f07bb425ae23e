// Pages that are opened in a browser, and what it found on each.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
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
    bool was_tried() const { return !answer.is_null() || !trouble.empty(); }
};

// What is called may be called from two threads at a time.
struct InspectionLimits {
    std::chrono::seconds time;                 // no page is begun after it
    std::function<bool()> awaited;             // false: no page is begun any more
    std::function<void(std::size_t)> on_done;  // how many of all are done
};

// Opens them, each page once before any is opened again, and at the end those that were late once
// more. `port`: that of the door.
void open_in_browser(Browser& browser, int port, std::vector<Inspection>& all,
                     const InspectionLimits& limits);

}  // namespace svc::devapi::verification
