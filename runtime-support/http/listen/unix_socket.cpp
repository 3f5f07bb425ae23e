#include "http/listen/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace svc::http {
namespace {

[[noreturn]] void fail_at(const std::string& what, int error = errno) {
    throw std::system_error(error, std::system_category(), what);
}

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path))
        fail_at("the path of a unix socket may have at most " +
                    std::to_string(sizeof(address.sun_path) - 1) + " bytes: " + path,
                ENAMETOOLONG);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return address;
}

int new_socket(int type) {
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) fail_at("socket");
    return fd;
}

[[noreturn]] void fail_and_close(int fd, const std::string& what) {
    int error = errno;
    ::close(fd);
    fail_at(what, error);
}

// A socket that an earlier process left; anything else at this path stays.
void remove_stale(const std::string& path) {
    struct stat found {};
    if (lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode)) unlink(path.c_str());
}

}  // namespace

int listen_at(const std::string& path, int type) {
    sockaddr_un address = address_of(path);
    remove_stale(path);
    int fd = new_socket(type);
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
        fail_and_close(fd, "cannot bind " + path);
    // Nobody can connect before listen().
    if (chmod(path.c_str(), 0600) != 0 || listen(fd, 16) != 0)
        fail_and_close(fd, "cannot listen on " + path);
    return fd;
}

int connect_to(const std::string& path, int type) {
    sockaddr_un address = address_of(path);
    int fd = new_socket(type);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
        fail_and_close(fd, "cannot connect to " + path);
    return fd;
}

}  // namespace svc::http
