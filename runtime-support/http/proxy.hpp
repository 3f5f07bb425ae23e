// Who a client is behind proxies that the operator trusts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace svc::http {

// The peer's address of a connected socket, without port; empty for a unix socket.
std::string peer_address(int fd);

// `peer`, or where a trusted proxy is the peer: the last address of X-Forwarded-For that is no
// trusted proxy itself. `trusted` holds addresses and networks ("10.0.0.0/8").
std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           std::span<const std::string> trusted);

// Whether an address is a trusted proxy.
bool trusts(std::string_view address, std::span<const std::string> trusted);

// Whom limits by address count together: an IPv4 address by itself, also where it is written as an
// IPv6 one; of IPv6 the network of 64 bits, which is what one client is given. Other text as it is.
std::string counted_network(std::string_view address);

// An address or a network that can stand in `trusted`.
bool valid_proxy(const std::string& entry);

}  // namespace svc::http
