// What account routes ask of other services: threads that may block, and what their answers are
// remembered for. One for all io threads of a process.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "http/task.hpp"
#include "outgoing/fetch.hpp"

namespace svc::auth {

struct Endpoints;

class Outside {
  public:
    explicit Outside(outgoing::AllowedHosts allowed);
    ~Outside();

    Task<outgoing::Fetched> fetch(outgoing::Fetch request);

    // Of an issuer's discovery document, for an hour.
    std::optional<Endpoints> endpoints(const std::string& issuer) const;
    void remember(const std::string& issuer, const Endpoints& endpoints);

  private:
    struct Known;
    const outgoing::AllowedHosts allowed_;
    mutable std::mutex mutex_;
    std::map<std::string, Known> known_;
    asio::thread_pool threads_{4};
};

}  // namespace svc::auth
