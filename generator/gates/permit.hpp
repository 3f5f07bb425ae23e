// Permits of what runs under Node.js: a compiler of types takes a core and some hundred megabytes,
// so two run at a time. Of one party one runs, so nobody takes both places.
#pragma once

#include <stdexcept>
#include <string>

namespace svc::gates {

// A party has as many waiting as it may.
class QueueFull : public std::runtime_error {
  public:
    QueueFull() : std::runtime_error("Other checks of yours are still running. Wait for them.") {}
};

// Waits until it may begin, in the order of coming among those whose party has none running.
// `party`: who asks; empty: the service itself, which is never held back by that. Throws QueueFull.
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
