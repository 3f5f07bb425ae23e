#include "verify/app/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "apps/process/app_places.hpp"
#include "apps/process/launch.hpp"
#include "base/app_paths.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "identity/credentials.hpp"
#include "settings/origin.hpp"

namespace svc::devapi::verification {
namespace {

namespace fs = std::filesystem;

constexpr Env kEnv = Env::verify;
constexpr int kAnswerSeconds = 10;

// The settings of the app's own environment, except those that reach other services or run in the
// background.
Launch launch_on(const Subject& subject) {
    Launch out = make_launch(subject.services.config, subject.project, kEnv,
                             subject.clone.database(), subject.record.binary_path);
    const auto is = [](const std::string& entry, const char* name) {
        return entry.starts_with(std::string(name) + "=");
    };
    std::erase_if(out.environment, [&](const std::string& entry) {
        for (const char* name : {"SVC_ENV", "SVC_HOSTS", "SVC_ORIGIN", "SVC_RATE_BROWSER",
                                 "SVC_RATE_SERVER", "SVC_SMTP_URL", "SVC_ALLOW_PRIVATE_HOSTS"})
            if (is(entry, name)) return true;
        return false;
    });
    out.environment.push_back(std::string("SVC_HOSTS=") + kVerifyHost + "," + kBrowserHost);
    for (const char* entry :
         {"SVC_ENV=dev", "SVC_ORIGIN=http://verify.invalid", "SVC_RATE_BROWSER=0",
          "SVC_RATE_SERVER=0", "SVC_BACKGROUND=off", "SVC_OUTSIDE=off"})
        out.environment.emplace_back(entry);
    return out;
}

void add_key(CloneConnection& connection, const std::string& value, const char* kind,
             const char* origins) {
    connection.run(
        "insert into svc.app_key (id, kind, hash, prefix, origins) values "
        "(gen_random_uuid(), " +
        connection.quote(kind) + ", sha256(convert_to(" + connection.quote(value) +
        ", 'UTF8')), 'verify', " + connection.quote(origins) + ")");
}

[[noreturn]] void no_socket() {
    throw std::system_error(errno, std::generic_category(), "A socket to the server on the clone");
}

// Two ends of a connection of this machine: app servers take sockets of TCP.
std::pair<int, int> connected_pair() {
    const int door = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* address = reinterpret_cast<sockaddr*>(&at);
    if (door < 0 || ::bind(door, address, size) != 0 || ::listen(door, 1) != 0 ||
        ::getsockname(door, address, &size) != 0)
        no_socket();
    const int ours = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected = ours >= 0 && ::connect(ours, address, size) == 0;
    const int theirs = connected ? ::accept4(door, nullptr, nullptr, SOCK_CLOEXEC) : -1;
    // Somebody else of this machine may have been faster.
    sockaddr_in local{}, peer{};
    socklen_t local_size = sizeof local, peer_size = sizeof peer;
    const bool is_ours =
        theirs >= 0 && ::getsockname(ours, reinterpret_cast<sockaddr*>(&local), &local_size) == 0 &&
        ::getpeername(theirs, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0 &&
        local.sin_port == peer.sin_port;
    ::close(door);
    if (!is_ours) {
        if (ours >= 0) ::close(ours);
        if (theirs >= 0) ::close(theirs);
        no_socket();
    }
    const timeval limit{kAnswerSeconds, 0};
    ::setsockopt(ours, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(ours, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return {ours, theirs};
}

// If a request was not sent, its answer is missing, which is reported.
void send_all(int line, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
        const auto n = ::send(line, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) return;
        sent += static_cast<std::size_t>(n);
    }
}

std::string asserted(const VerifyCaller& caller) {
    std::string out;
    if (!caller.id.empty()) out += "x-svc-app-user: " + caller.id + "\r\n";
    if (!caller.org.empty()) out += "x-svc-app-org: " + caller.org + "\r\n";
    if (!caller.persona.empty())
        out += "x-svc-app-role: " + caller.persona +
               (caller.org_role.empty() ? "" : ",org:" + caller.org_role) + "\r\n";
    return out;
}

}  // namespace

AppServer::AppServer(const Subject& subject)
    : supervisor_(subject.services.supervisor),
      app_(subject.project.id, kEnv),
      folder_(project_folder(subject.services.config, subject.project.id, kEnv)),
      browser_key_("dpk_c_" + base::base64url(base::random_bytes(32))),
      server_key_("dpk_s_" + base::base64url(base::random_bytes(32))) {
    add_key(subject.connection, browser_key_, "browser", "{*}");
    add_key(subject.connection, server_key_, "server", "{}");
    auto [process, error] = supervisor_.start_beside(app_, launch_on(subject));
    process_ = std::move(process);
    if (process_) return;
    supervisor_.stop(app_);
    throw std::runtime_error(error);
}

AppServer::~AppServer() {
    hang_up();
    process_.reset();
    supervisor_.stop(app_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

int AppServer::new_line() {
    const auto [ours, theirs] = connected_pair();
    take(theirs);
    return ours;
}

void AppServer::take(int connection) const {
    supervisor_.pass_to(process_, {.fd = connection, .unread = {}, .must_serve = true});
}

void AppServer::hang_up() {
    if (line_ >= 0) ::close(line_);
    line_ = -1;
}

std::string AppServer::request(const VerifyCaller& caller, const std::string& method,
                               const std::string& path, const std::string& body,
                               const RequestOptions& options) const {
    const bool by_browser = caller.guest || !options.session.empty();
    std::string out = method + " " + std::string(base::kApiPath) + path +
                      " HTTP/1.1\r\nHost: " + kVerifyHost +
                      "\r\nx-svc-data-api: 1\r\nAuthorization: Bearer " +
                      (by_browser ? browser_key_ : server_key_) + "\r\n";
    if (by_browser) out += "Origin: http://verify.invalid\r\n";
    out += options.session.empty() ? asserted(caller)
                                   : "x-svc-app-session: " + options.session + "\r\n";
    if (options.as_admin) out += "x-svc-admin: 1\r\n";
    out += options.headers;
    if (!body.empty() || (method != "GET" && method != "DELETE"))
        out += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\n";
    return out + "\r\n" + body;
}

HttpAnswer AppServer::call(const VerifyCaller& caller, const std::string& method,
                           const std::string& path, const std::string& body,
                           const RequestOptions& options) {
    return exchange(request(caller, method, path, body, options), method + " " + path);
}

HttpAnswer AppServer::page(const std::string& session, const std::string& path) {
    const std::string what = "GET " + path;
    std::string head = what + " HTTP/1.1\r\nHost: " + kVerifyHost + "\r\nAccept: text/html\r\n";
    if (!session.empty())
        head += "Cookie: " + std::string(identity::kSessionCookie) + "=" + session + "\r\n";
    return exchange(head + "\r\n", what);
}

HttpAnswer AppServer::exchange(const std::string& request, const std::string& what) {
    namespace http = boost::beast::http;
    if (line_ < 0) line_ = new_line();
    send_all(line_, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(64ULL << 20);
    parser.eager(true);
    std::string unread;
    char piece[16 * 1024];
    while (!parser.is_done()) {
        const auto n = ::recv(line_, piece, sizeof piece, 0);
        if (n <= 0) {
            hang_up();
            throw std::runtime_error(what + " got no answer.");
        }
        unread.append(piece, static_cast<std::size_t>(n));
        boost::system::error_code fault;
        unread.erase(0, parser.put(boost::asio::buffer(unread), fault));
        if (fault && fault != http::error::need_more)
            throw std::runtime_error(what + " got an answer that is not HTTP: " + fault.message());
    }
    HttpAnswer out{static_cast<int>(parser.get().result_int()), parser.get().body()};
    if (!parser.get().keep_alive()) hang_up();
    return out;
}

std::unique_ptr<Stream> AppServer::listen(const VerifyCaller& caller, const std::string& path) {
    auto stream = std::make_unique<Stream>(new_line());
    send_all(stream->line_, request(caller, "GET", path, {}, {}));
    while (stream->status_ == 0)
        if (!stream->read_more()) throw std::runtime_error("GET " + path + " got no answer.");
    return stream;
}

}  // namespace svc::devapi::verification
