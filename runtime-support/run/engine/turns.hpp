// Decides how many advances are under way at a time, each on a connection of its own. Slow ones
// have all places but one, so a few of them do not stop all other runs.
#pragma once

#include "http/concurrency_limit.hpp"

namespace svc::run {

class Turns {
  public:
    Turns(asio::io_context& io, unsigned most) : all_(io, most), slow_(io, most - 1) {}

    // Those that wait for a place of any kind.
    std::size_t waiting() const { return all_.waiting(); }
    // Slow ones that wait for slow ones.
    std::size_t set_aside() const { return slow_.waiting(); }

    // leave() gives the place back, with the same `slow`.
    Task<> enter(bool slow) {
        if (slow) co_await slow_.enter();
        co_await all_.enter();
    }
    void leave(bool slow) {
        all_.leave();
        if (slow) slow_.leave();
    }

  private:
    http::ConcurrencyLimit all_, slow_;
};

}  // namespace svc::run
