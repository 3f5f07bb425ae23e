#include "verify/page/inspection.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "identity/credentials.hpp"
#include "verify/app/server.hpp"

namespace svc::devapi::verification {
namespace {

using ordered = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr auto kInspectionTime = std::chrono::seconds(20);

ordered wanted(const Inspection& one, int port) {
    ordered cookies = ordered::array();
    if (!one.session.empty())
        cookies.push_back({{"name", identity::kSessionCookie}, {"value", one.session}});
    return {{"url", "http://" + std::string(kBrowserHost) + one.path},
            {"cookies", cookies},
            {"service", {{"host", "127.0.0.1"}, {"port", port}}},
            {"widths", kInspectedWidths}};
}

void ask(Browser& browser, int port, Inspection& one) try {
    one.answer = browser.inspect(wanted(one, port));
} catch (const std::exception& error) {
    one.trouble = error.what();
}

}  // namespace

void open_in_browser(Browser& browser, int port, std::vector<Inspection>& all) {
    const auto end = Clock::now() + kInspectionTime;
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> answers = false, hopeless = false;
    const auto work = [&] {
        while (!hopeless && Clock::now() < end) {
            const std::size_t at = next++;
            if (at >= all.size()) return;
            ask(browser, port, all[at]);
            if (all[at].trouble.empty()) answers = true;
            if (!answers) hopeless = true;  // such as a Chromium that does not start
        }
    };
    std::jthread beside(work);  // the browser's program takes two at a time
    work();
}

}  // namespace svc::devapi::verification
