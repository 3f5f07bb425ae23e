// The address of a client behind proxies that the operator trusts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace svc::http {

// The peer's address of a connected socket, without port; empty for a unix socket.
std::string peer_address(int fd);

// `peer`; if the peer is a trusted proxy, the last address of X-Forwarded-For that is not a trusted
// proxy. `trusted` holds addresses and networks ("10.0.0.0/8").
std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           std::span<const std::string> trusted);

// Whether an address is a trusted proxy.
bool trusts(std::string_view address, std::span<const std::string> trusted);

// The client that limits by address count: an IPv4 address by itself, also where it is written as
// an IPv6 one; of IPv6 the network of 64 bits, which is what one client is given. Other text as it
// is.
std::string counted_network(std::string_view address);

// True for an address or a network, which `trusted` may contain.
bool valid_proxy(const std::string& entry);

}  // namespace svc::http
