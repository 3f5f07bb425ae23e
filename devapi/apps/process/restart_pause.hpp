// How long svcd waits before it starts an app's server again. It waits twice as long each time,
// until a server has lived for a minute.
#pragma once

#include <algorithm>
#include <chrono>

namespace svc::devapi {

class RestartPause {
  public:
    using Time = std::chrono::milliseconds;

    // How long to wait until the next start.
    Time next() {
        const Time pause = pause_;
        pause_ = std::min(pause * 2, kLongest);
        return pause;
    }

    // A server ended this long after it was ready. It has served requests, so its app is away as
    // briefly as possible, also if a request ends each server that gets it. One that ends before it
    // is ready may wait for its database.
    void note_end(std::chrono::steady_clock::duration life) {
        pause_ = life >= kHealthy ? kFirst : std::min(pause_, kLongestOfReady);
    }

    // Another server is started.
    void reset() { pause_ = kFirst; }

  private:
    static constexpr Time kFirst{100}, kLongestOfReady{1000}, kLongest{10000};
    static constexpr std::chrono::seconds kHealthy{60};

    Time pause_ = kFirst;
};

}  // namespace svc::devapi
