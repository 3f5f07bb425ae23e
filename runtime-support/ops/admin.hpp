// A second socket for the operator of the server: GET /metrics, /healthz. Only the server's user
// may open its path, so it needs no credentials.
#pragma once

#include <memory>

#include "http/server.hpp"
#include "ops/shared.hpp"

namespace svc::ops {

class Admin : public http::Service {
  public:
    // Throws std::system_error that names the path.
    Admin(asio::io_context& io, std::string path, std::shared_ptr<Shared> shared);
    ~Admin() override;  // removes the socket

    http::Claim claim(const http::Head&) override { return http::Claim::serve; }
    std::size_t body_limit(const http::Head&) override { return 0; }
    Task<> handle(http::Exchange& exchange) override;
    void hand_off(http::Connection connection) override;

  private:
    const std::string path_;
    const std::shared_ptr<Shared> shared_;
    http::Server server_;
};

}  // namespace svc::ops
