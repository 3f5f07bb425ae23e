// The browser of screenshots and verifications: a Node program beside svcd that keeps one Chromium
// warm (web/screenshot). Started by the first call; it ends by itself when nobody calls it for some
// minutes, and with svcd.
#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "settings/config.hpp"

namespace svc::devapi {

class BrowserConnection;

// The message says what this machine lacks and how to install it, or why the page was not shown.
struct NoPicture : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Browser {
  public:
    explicit Browser(const Config& config);
    ~Browser();
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    // An empty text, or what to install.
    std::string missing() const;
    // {url, link?, service, width, height, fullPage} → {png, errors, overflow, text, ms}
    // (web/screenshot/shoot.mjs). Blocking, from any thread; throws NoPicture.
    nlohmann::ordered_json take(const nlohmann::ordered_json& wanted);
    // {url, cookies, service, widths, pages, ms} → {pages} (web/screenshot/tour.mjs). As take();
    // pictures go first.
    nlohmann::ordered_json tour(nlohmann::ordered_json wanted);
    // Ends the calls that wait, and the browser.
    void stop();

  private:
    std::shared_ptr<BrowserConnection> connection();

    const Config& config_;
    std::mutex mutex_;
    std::shared_ptr<BrowserConnection> connection_;
    bool stopped_ = false;
};

}  // namespace svc::devapi
