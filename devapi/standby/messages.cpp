#include "standby/messages.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "http/dev_request.hpp"

namespace svc::devapi {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

json keys_of(const Directory::Content& directory) {
    json out = json::array();
    for (const auto& [hash, key] : directory.keys)
        out.push_back(
            {hash, key.id, key.project, key.expires_at, key.origins, base::word(key.kind)});
    return out;
}

}  // namespace

std::string to_text(const RoutingTable& table) {
    json projects = json::array();
    for (const auto& [id, project] : table.directory.projects)
        projects.push_back({id, project.slug});
    return json{{"listen", table.platform.listen},
                {"appsDomain", table.platform.apps_domain},
                {"hosts", table.platform.platform_hosts},
                {"projects", projects},
                {"keys", keys_of(table.directory)},
                {"labels", table.directory.published.labels},
                {"domains", table.directory.published.domains}}
        .dump();
}

RoutingTable read_table(const std::string& text) {
    const json from = json::parse(text);
    RoutingTable out;
    from.at("listen").get_to(out.platform.listen);
    from.at("appsDomain").get_to(out.platform.apps_domain);
    from.at("hosts").get_to(out.platform.platform_hosts);
    for (const json& project : from.at("projects"))
        out.directory.projects[project.at(0)] = {project.at(0), project.at(1)};
    for (const json& key : from.at("keys"))
        out.directory.keys[key.at(0)] = {
            key.at(1), key.at(2), key.at(3), key.at(4),
            base::read_word<KeyKind>(key.at(5).get<std::string>()).value()};
    from.at("labels").get_to(out.directory.published.labels);
    from.at("domains").get_to(out.directory.published.domains);
    return out;
}

std::string to_text(const AppSocket& socket) {
    const json path = socket.path ? json(*socket.path) : json();
    return json{{"app", socket.app}, {"path", path}}.dump();
}

AppSocket read_socket(const std::string& text) {
    const json from = json::parse(text);
    AppSocket out;
    from.at("app").get_to(out.app);
    if (const json& path = from.at("path"); !path.is_null()) out.path = path.get<std::string>();
    return out;
}

int to_memory(const std::string& text) {
    const int fd = ::memfd_create("svc-routing", MFD_CLOEXEC);
    if (fd < 0) fail("memfd_create");
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t bytes = ::write(fd, text.data() + written, text.size() - written);
        if (bytes > 0) {
            written += static_cast<std::size_t>(bytes);
        } else if (errno != EINTR) {
            ::close(fd);
            fail("write");
        }
    }
    return fd;
}

std::string from_memory(int fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) fail("fstat");
    std::string out(static_cast<std::size_t>(info.st_size), '\0');
    for (std::size_t read = 0; read < out.size();) {
        const ssize_t bytes =
            ::pread(fd, out.data() + read, out.size() - read, static_cast<off_t>(read));
        if (bytes < 0 && errno != EINTR) fail("pread");
        if (bytes == 0) break;
        if (bytes > 0) read += static_cast<std::size_t>(bytes);
    }
    return out;
}

}  // namespace svc::devapi
