#include "outgoing/private_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace svc::outgoing {
namespace {

struct Net4 {
    std::uint32_t network;
    unsigned bits;
};

constexpr std::uint32_t ip(unsigned a, unsigned b, unsigned c, unsigned d) {
    return a << 24U | b << 16U | c << 8U | d;
}

constexpr Net4 kPrivate4[] = {
    {ip(0, 0, 0, 0), 8},     {ip(10, 0, 0, 0), 8},      {ip(100, 64, 0, 0), 10},
    {ip(127, 0, 0, 0), 8},   {ip(169, 254, 0, 0), 16},  {ip(172, 16, 0, 0), 12},
    {ip(192, 0, 0, 0), 24},  {ip(192, 0, 2, 0), 24},    {ip(192, 168, 0, 0), 16},
    {ip(198, 18, 0, 0), 15}, {ip(198, 51, 100, 0), 24}, {ip(203, 0, 113, 0), 24},
    {ip(224, 0, 0, 0), 4},   {ip(240, 0, 0, 0), 4},
};

bool is_private4(std::uint32_t address) {
    return std::ranges::any_of(kPrivate4, [address](const Net4& net) {
        const std::uint32_t mask = ~std::uint32_t{0} << (32 - net.bits);
        return (address & mask) == net.network;
    });
}

std::uint32_t last_four(const std::uint8_t* bytes) {
    return ip(bytes[12], bytes[13], bytes[14], bytes[15]);
}

// Global unicast is 2000::/3; in it stand documentation, Teredo and 6to4, which carry other
// addresses.
bool is_private6(const std::uint8_t* bytes) {
    static constexpr std::uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (std::memcmp(bytes, kMapped, sizeof kMapped) == 0) return is_private4(last_four(bytes));
    if ((bytes[0] & 0xe0U) != 0x20) return true;
    const unsigned first = bytes[0] << 8U | bytes[1];
    const unsigned second = bytes[2] << 8U | bytes[3];
    return first == 0x2002 || (first == 0x2001 && (second < 0x0200 || second == 0x0db8));
}

}  // namespace

bool is_private(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in four;
        std::memcpy(&four, &address, sizeof four);
        return is_private4(ntohl(four.sin_addr.s_addr));
    }
    if (address.sa_family != AF_INET6) return true;
    sockaddr_in6 six;
    std::memcpy(&six, &address, sizeof six);
    return is_private6(six.sin6_addr.s6_addr);
}

bool is_private_text(const char* address) {
    in_addr four{};
    in6_addr six{};
    if (::inet_pton(AF_INET, address, &four) == 1) return is_private4(ntohl(four.s_addr));
    return ::inet_pton(AF_INET6, address, &six) != 1 || is_private6(six.s6_addr);
}

}  // namespace svc::outgoing
