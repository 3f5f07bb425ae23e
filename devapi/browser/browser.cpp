#include "browser/browser.hpp"

#include <unistd.h>

#include "browser/browser_connection.hpp"
#include "browser/program.hpp"
#include "build/node.hpp"
#include "common/server_log.hpp"

namespace svc::devapi {
namespace {

using json = nlohmann::ordered_json;

constexpr auto kAnswerTime = std::chrono::seconds(90);  // queue, start and page together

}  // namespace

Browser::Browser(const Config& config) : config_(config) {}

Browser::~Browser() { stop(); }

std::string Browser::missing() const {
    if (build::find_node().empty())
        return "A browser needs Node.js, which is not installed. Install the Debian package "
               "nodejs.";
    if (::access((build::web_folder() + "/node_modules/playwright-core/package.json").c_str(),
                 R_OK) != 0)
        return "A browser needs the folder " + build::web_folder() +
               ", which the build makes. Run ./run build.";
    if (::access(config_.chromium.c_str(), X_OK) != 0)
        return "A browser needs Chromium, and there is no " + config_.chromium +
               ". Install the Debian package chromium, or set SVC_CHROMIUM.";
    return {};
}

std::shared_ptr<BrowserConnection> Browser::connection() {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw NoPicture("The service is stopping.");
    trim_log(browser_log(config_));
    if (!connection_ || connection_->gone())
        connection_ = std::make_shared<BrowserConnection>(browser_program(config_));
    return connection_;
}

json Browser::take(const json& wanted) {
    if (const std::string lack = missing(); !lack.empty()) throw NoPicture(lack);
    for (int tries = 0; tries < 2; ++tries) {
        const auto now = connection();
        const auto answer = now->ask(wanted, kAnswerTime);
        if (!answer) continue;  // it was ended, or ended by itself just then: the next one is new
        if (answer->value("ok", false)) return *answer;
        throw NoPicture("The page cannot be shown: " + answer->value("error", "unknown"));
    }
    throw NoPicture("The browser ended twice. The log browser.log of the data folder says why.");
}

json Browser::tour(json wanted) {
    wanted["kind"] = "tour";
    return take(wanted);
}

void Browser::stop() {
    std::shared_ptr<BrowserConnection> last;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        last = std::move(connection_);
    }
    if (last) last->end();
}

}  // namespace svc::devapi
