// Decides where calls of the server may go. It checks the address just before the connection is
// opened, so that a name cannot get another address between check and use. It checks the
// connection's address again before a request is sent, because another call may have opened a kept
// connection.
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
