#include "settings/config.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <stdexcept>
#include <system_error>

#include "settings/loopback.hpp"

namespace svc::devapi {

void take_listener(Config& config, int socket) {
    config.listen_fd = socket;
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (socket < 0) return;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0)
        throw std::system_error(errno, std::generic_category(), "the inherited socket");
    char host[NI_MAXHOST] = "";
    ::getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host, sizeof host, nullptr, 0,
                  NI_NUMERICHOST);
    const std::string shown = address.ss_family == AF_INET6 ? "[" + std::string(host) + "]" : host;
    config.on_loopback = is_loopback(shown + ":0");
    if (config.on_loopback) return;
    if (config.reaches_all) config.private_hosts.clear();
    if (config.domains_unproven)
        throw std::invalid_argument(
            "SVC_DOMAINS_UNPROVEN is allowed only on a loopback address, but the inherited socket "
            "listens on " +
            shown + ". Unset it.");
}

std::string Config::public_url() const {
    return public_origin.empty() ? "http://" + listen : public_origin;
}

std::string Config::listen_host() const { return listen.substr(0, listen.rfind(':')); }

std::string Config::listen_port() const { return listen.substr(listen.rfind(':') + 1); }

}  // namespace svc::devapi
