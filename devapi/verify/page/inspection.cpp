#include "verify/page/inspection.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "identity/credentials.hpp"
#include "verify/app/server.hpp"
#include "verify/page/tours.hpp"

namespace svc::devapi::verification {
namespace {

using ordered = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A tour that is longer keeps others waiting for the browser; what it leaves, the next one opens.
constexpr milliseconds kTourTime = std::chrono::seconds(20);

ordered wanted(const Tours::Tour& tour, int port, milliseconds left) {
    const std::string host = "http://" + std::string(kBrowserHost);
    const std::string& session = tour[0]->session;
    ordered cookies = ordered::array(), pages = ordered::array();
    if (!session.empty())
        cookies.push_back({{"name", identity::kSessionCookie}, {"value", session}});
    for (const Inspection* one : tour)
        pages.push_back({{"name", one->route}, {"url", host + one->path}});
    return {{"url", host + "/"},
            {"cookies", cookies},
            {"service", {{"host", "127.0.0.1"}, {"port", port}}},
            {"widths", kInspectedWidths},
            {"pages", pages},
            {"ms", left.count()}};
}

void take(Inspection& one, const ordered& answer) {
    if (answer.contains("trouble"))
        one.trouble = "The page " + one.path + " cannot be shown: " + answer.value("trouble", "");
    else
        one.answer = answer;
}

// False if the browser did not answer.
bool open(Browser& browser, const ordered& asked, const Tours::Tour& tour) try {
    const ordered answer = browser.tour(asked);
    for (std::size_t i = 0; i < tour.size(); ++i) take(*tour[i], answer.at("pages").at(i));
    return true;
} catch (const std::exception& error) {
    for (Inspection* one : tour) one->trouble = error.what();
    return false;
}

// On a busy machine a page may be late for no fault of its own.
void open_again(Browser& browser, int port, Inspection& late, milliseconds left) {
    Inspection again = late;
    again.answer = nullptr;
    const Tours::Tour alone = {&again};
    const ordered asked = wanted(alone, port, std::min(left, kTourTime));
    if (open(browser, asked, alone) && !again.answer.is_null())
        late.answer = std::move(again.answer);
}

}  // namespace

void open_in_browser(Browser& browser, int port, std::vector<Inspection>& all,
                     const InspectionLimits& limits) {
    const auto end = Clock::now() + limits.time;
    const auto left = [&] { return std::chrono::duration_cast<milliseconds>(end - Clock::now()); };
    Tours tours(all);
    std::atomic<bool> answers = false, hopeless = false;
    const auto work = [&] {
        while (!hopeless && Clock::now() < end && limits.awaited()) {
            const Tours::Tour tour = tours.next();  // may wait for the other one
            if (tour.empty()) return;
            if (left() <= milliseconds(0)) return tours.end(tour);
            if (open(browser, wanted(tour, port, std::min(left(), kTourTime)), tour))
                answers = true;
            tours.end(tour);
            limits.on_done(tours.done());
            if (!answers) hopeless = true;  // such as a Chromium that does not start
        }
    };
    {
        std::jthread beside(work);  // the browser's program takes two at a time
        work();
    }
    for (Inspection& one : all)
        if (one.is_late() && left() > milliseconds(0) && limits.awaited())
            open_again(browser, port, one, left());
}

}  // namespace svc::devapi::verification
