// Streams that go to another process of the app as this one ends: their clients notice nothing. The
// connection travels with a request that svcd makes for it, which says where the stream was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "identity/secret/signer.hpp"

namespace svc::feed {

class Handover {
  public:
    explicit Handover(std::string_view secret) : signer_(secret, "stream") {}

    // The part of a request that a handover keeps.
    static std::string kept(const http::Head& head);
    // The request that goes with the connection. `id`: the last that the client has. It may be
    // longer than a client's request: the server that takes over a connection accepts what comes
    // with it.
    std::string request(const std::string& kept, std::string_view id) const;
    // True for a request of a handover, whose answer already has a head. Nobody else can make such
    // a request, and no client sees it.
    bool continues(const http::Head& head) const;

  private:
    const identity::Signer signer_;
};

}  // namespace svc::feed
