#include "http/request/proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include "base/ascii.hpp"

namespace svc::http {
namespace {

namespace ip = boost::asio::ip;
using Fault = boost::system::error_code;

bool in_network(const ip::address& address, const std::string& entry) {
    Fault fault;
    if (address.is_v4()) {
        auto network = ip::make_network_v4(entry, fault);
        return !fault && ip::network_v4(address.to_v4(), network.prefix_length()).canonical() ==
                             network.canonical();
    }
    auto network = ip::make_network_v6(entry, fault);
    return !fault && ip::network_v6(address.to_v6(), network.prefix_length()).canonical() ==
                         network.canonical();
}

}  // namespace

bool trusts(std::string_view text, std::span<const std::string> trusted) {
    Fault fault;
    ip::address address = ip::make_address(std::string(text), fault);
    if (fault) return false;
    return std::any_of(trusted.begin(), trusted.end(), [&](const std::string& entry) {
        if (entry.find('/') != entry.npos) return in_network(address, entry);
        Fault ignored;
        return ip::make_address(entry, ignored) == address && !ignored;
    });
}

std::string peer_address(int fd) {
    sockaddr_storage storage{};
    socklen_t size = sizeof(storage);
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
    char text[INET6_ADDRSTRLEN] = "";
    if (storage.ss_family == AF_INET) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
        inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
    } else if (storage.ss_family == AF_INET6) {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
        inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
    }
    return text;
}

std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           std::span<const std::string> trusted) {
    std::string_view client = peer;
    while (!forwarded_for.empty() && trusts(client, trusted)) {
        std::size_t comma = forwarded_for.rfind(',');
        std::string_view last =
            comma == forwarded_for.npos ? forwarded_for : forwarded_for.substr(comma + 1);
        forwarded_for = comma == forwarded_for.npos ? "" : forwarded_for.substr(0, comma);
        Fault fault;
        ip::make_address(std::string(base::trim(last)), fault);
        // A proxy writes only addresses, so any other text came from the client.
        if (fault) break;
        client = base::trim(last);
    }
    return std::string(client);
}

std::string counted_network(std::string_view address) {
    Fault fault;
    const ip::address parsed = ip::make_address(std::string(address), fault);
    if (fault || parsed.is_v4()) return std::string(address);
    const ip::address_v6 six = parsed.to_v6();
    if (six.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, six).to_string();
    return ip::network_v6(ip::address_v6(six.to_bytes()), 64).canonical().to_string();
}

bool valid_proxy(const std::string& entry) {
    Fault address, v4, v6;
    ip::make_address(entry, address);
    ip::make_network_v4(entry, v4);
    ip::make_network_v6(entry, v6);
    return !address || !v4 || !v6;
}

}  // namespace svc::http
