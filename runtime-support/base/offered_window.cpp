#include "base/offered_window.hpp"

// The kernel's own header: that of glibc has no window.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

namespace svc::base {

std::optional<std::uint32_t> offered_window(int socket) {
    constexpr std::size_t kNeeded = offsetof(tcp_info, tcpi_snd_wnd) + sizeof(std::uint32_t);
    tcp_info info{};
    socklen_t size = sizeof(info);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
    if (size < kNeeded) return std::nullopt;
    return info.tcpi_snd_wnd;
}

}  // namespace svc::base
