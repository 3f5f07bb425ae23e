// The metrics of app servers, gathered from their sockets (ops/admin.hpp): one text of Prometheus
// whose samples name the app.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/env.hpp"

namespace svc::devapi {

struct MeteredApp {
    std::string project;  // labels: the project's slug
    Env env = Env::dev;
    std::string socket;  // of its metrics
};

class GatheredMetrics {
  public:
    // Adds the answer of an app. Each family is printed once, with the samples of all apps.
    void add(const MeteredApp& app, std::string_view text);
    std::string text() const;

  private:
    struct Family {
        std::string name, about, samples;
    };
    std::vector<Family> families_;  // as they first came
};

// Asks each in turn, for two seconds in all. Blocking. Those that gave no answer are counted in
// `silent`.
std::string gather_metrics(const std::vector<MeteredApp>& apps, std::size_t& silent);

}  // namespace svc::devapi
