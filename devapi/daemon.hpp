// svcd as a whole: its parts in the order in which they start, and in the reverse of which they
// end.
#pragma once

#include <memory>
#include <string>

#include "settings/config.hpp"

namespace svc::devapi {

class Daemon {
  public:
    // Connects to the platform's database, resumes the apps and listens. Throws an exception that
    // names the problem.
    Daemon(const Config& config, const std::string& master_key, const std::string& admin_url);
    ~Daemon();

    // Serves until SIGTERM or SIGINT, then ends in order: no new connections, answers finished,
    // workers done, app servers gone.
    void run();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::devapi
