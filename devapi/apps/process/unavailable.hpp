// Answers every request with 503 and closes: for connections whose app server did not come in time.
#pragma once

#include "http/server.hpp"

namespace svc::devapi {

class Unavailable : public http::Service {
  public:
    explicit Unavailable(asio::io_context& io) : server_(io, *this) {}
    void answer(http::Connection connection);

    http::Claim claim(const http::Head&) override { return http::Claim::serve; }
    std::size_t body_limit(const http::Head&) override { return 1 << 20; }
    Task<> handle(http::Exchange& exchange) override;
    void hand_off(http::Connection connection) override;

  private:
    http::Server server_;
};

}  // namespace svc::devapi
