#include "postgres/reach.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cctype>
#include <filesystem>
#include <vector>

#include "base/ascii.hpp"
#include "base/number.hpp"
#include "outgoing/private_address.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

namespace ip = boost::asio::ip;
using Addresses = std::vector<ip::tcp::endpoint>;

constexpr int kUsualPort = 5432;

Addresses addresses_of(const std::string& host) {
    boost::asio::io_context io;
    ip::tcp::resolver resolver(io);
    boost::system::error_code error;
    Addresses out;
    for (const auto& each : resolver.resolve(host, "", error)) out.push_back(each.endpoint());
    return out;
}

// 05432 is 5432 to libpq.
int port_number(const std::string& port) { return base::number_of(port, kUsualPort); }

// Symbolic links and dots are other spellings of one folder.
std::filesystem::path folder_of(const std::string& path) {
    std::error_code error;
    auto canonical = std::filesystem::weakly_canonical(path, error);
    if (error) return path;
    return canonical.has_filename() ? canonical : canonical.parent_path();
}

bool share_an_address(const Addresses& some, const Addresses& others) {
    return std::ranges::any_of(some, [&others](const ip::tcp::endpoint& one) {
        return std::ranges::any_of(others, [&one](const ip::tcp::endpoint& other) {
            return one.address() == other.address();
        });
    });
}

}  // namespace

bool is_socket(const std::string& host) { return host.starts_with('/') || host.starts_with('@'); }

bool same_host(const std::string& one, const std::string& other) {
    if (one.starts_with('/') && other.starts_with('/')) return folder_of(one) == folder_of(other);
    return base::iequals(one, other);
}

std::optional<std::string> public_address(const std::string& host) {
    const Addresses found = addresses_of(host);
    const auto is_private = [](const ip::tcp::endpoint& each) {
        return outgoing::is_private(*each.data());
    };
    if (found.empty() || std::ranges::any_of(found, is_private)) return std::nullopt;
    return found.front().address().to_string();
}

bool leads_to(const std::string& host, const std::string& port, const std::string& server_url) {
    const auto settings = conninfo_settings(server_url).value_or(ConninfoSettings{});
    const auto setting = [&settings](const char* name) {
        const auto at = settings.find(name);
        return at == settings.end() ? std::string() : at->second;
    };
    if (port_number(port) != port_number(setting("port"))) return false;
    const std::string own = setting("host"), own_address = setting("hostaddr");
    if (same_host(host, own)) return true;
    if (is_socket(host) || (is_socket(own) && own_address.empty())) return false;
    return share_an_address(addresses_of(host),
                            addresses_of(own_address.empty() ? own : own_address));
}

}  // namespace svc::devapi
