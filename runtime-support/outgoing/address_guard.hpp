// Where calls of the server may go: asked with the address that is about to be connected to, so
// that no name can change between check and use, and again with that of the connection before a
// request is sent. A kept connection may be one that another call was allowed to open.
#pragma once

#include "outgoing/curl.hpp"
#include "outgoing/fetch.hpp"

namespace svc::outgoing {

class AddressGuard {
  public:
    // Private addresses are refused unless `host` is in `allowed`.
    AddressGuard(const AllowedHosts& allowed, std::string_view host);
    // Must outlive the call.
    void attach(Handle& handle);
    bool refused() const { return refused_; }

  private:
    static curl_socket_t open(void* guard, curlsocktype type, curl_sockaddr* address);
    static int send(void* guard, char* address, char* local_address, int port, int local_port);

    const bool any_;
    bool refused_ = false;
};

inline constexpr const char* kPrivate =
    "its address is private; the operator may allow it with SVC_ALLOW_PRIVATE_HOSTS";

}  // namespace svc::outgoing
