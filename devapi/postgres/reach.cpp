#include "postgres/reach.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <utility>

namespace svc::devapi {
namespace {

namespace ip = boost::asio::ip;

// Networks that are nobody's on the internet: first address, bits.
constexpr std::pair<std::uint32_t, unsigned> kPrivate[] = {
    {0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16},
    {0xAC100000, 12}, {0xC0000000, 24}, {0xC0A80000, 16}, {0xC6120000, 15}, {0xE0000000, 3},
};

bool is_public(const ip::address_v4& address) {
    const std::uint32_t number = address.to_uint();
    for (const auto& [network, bits] : kPrivate) {
        if ((number >> (32 - bits)) == (network >> (32 - bits))) return false;
    }
    return true;
}

// 2000::/3 is what is given out; what only carries an address of the other kind counts as that.
bool is_public(const ip::address_v6& address) {
    if (address.is_v4_mapped()) return is_public(ip::make_address_v4(ip::v4_mapped, address));
    const auto bytes = address.to_bytes();
    const bool given_out = (bytes[0] & 0xE0) == 0x20;
    const bool carries_v4 =
        bytes[0] == 0x20 &&
        (bytes[1] == 0x02 || (bytes[1] == 0x01 && bytes[2] == 0 && bytes[3] == 0));
    return given_out && !carries_v4;
}

bool is_public(const ip::address& address) {
    return address.is_v4() ? is_public(address.to_v4()) : is_public(address.to_v6());
}

}  // namespace

std::optional<std::string> public_address(const std::string& host) {
    boost::asio::io_context io;
    ip::tcp::resolver resolver(io);
    boost::system::error_code error;
    const auto found = resolver.resolve(host, "", error);
    if (error || found.empty()) return std::nullopt;
    for (const auto& each : found) {
        if (!is_public(each.endpoint().address())) return std::nullopt;
    }
    return found.begin()->endpoint().address().to_string();
}

}  // namespace svc::devapi
