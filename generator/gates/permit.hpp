// Permits for programs under Node.js. A type checker takes a core and some hundred megabytes, so
// two programs run at a time. A party has one of them at most, so no party takes both places.
#pragma once

#include <stdexcept>
#include <string>

namespace svc::gates {

// The party already has as many waiting programs as it may have.
class QueueFull : public std::runtime_error {
  public:
    QueueFull() : std::runtime_error("Other checks of yours are still running. Wait for them.") {}
};

// Waits until the program may begin. The first party in the queue without a running program is
// next. `party`: the caller; empty: the service itself, which has no such limit. Throws QueueFull.
class Permit {
  public:
    explicit Permit(std::string party);
    ~Permit();
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;

  private:
    const std::string party_;
};

}  // namespace svc::gates
