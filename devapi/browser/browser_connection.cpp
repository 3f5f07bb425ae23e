#include "browser/browser_connection.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace svc::devapi {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = std::size_t{64} << 20;  // a picture of a long page
constexpr int kEndSteps = 100;                               // of 50 ms

bool write_all(int socket, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace

BrowserConnection::BrowserConnection(Child program) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    program.input = ends[1];
    socket_ = ends[0];
    try {
        pid_ = spawn(program);
    } catch (...) {
        ::close(ends[0]);
        ::close(ends[1]);
        throw;
    }
    ::close(ends[1]);
    reader_ = std::thread([this] { read_answers(); });
}

BrowserConnection::~BrowserConnection() {
    end();
    ::close(socket_);
}

bool BrowserConnection::gone() const {
    const std::lock_guard lock(mutex_);
    return gone_;
}

void BrowserConnection::end() {
    ::shutdown(socket_, SHUT_RDWR);
    std::thread reader;
    {
        const std::lock_guard lock(mutex_);
        reader = std::move(reader_);
    }
    if (reader.joinable()) reader.join();
}

std::optional<std::future<BrowserConnection::Answer>> BrowserConnection::send(json wanted) {
    const std::lock_guard lock(mutex_);
    if (gone_) return std::nullopt;
    wanted["id"] = ++last_;
    std::future<Answer> answer = waiting_[last_].get_future();
    // A failure shows as the end of the answers.
    write_all(socket_, wanted.dump() + "\n");
    return answer;
}

BrowserConnection::Answer BrowserConnection::ask(json wanted, std::chrono::seconds patience) {
    auto answer = send(std::move(wanted));
    if (!answer) return std::nullopt;
    if (answer->wait_for(patience) != std::future_status::ready) ::shutdown(socket_, SHUT_RDWR);
    return answer->get();
}

void BrowserConnection::give(const std::string& line) {
    json answer = json::parse(line, nullptr, false);
    if (!answer.is_object()) return;
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(answer.value("id", std::uint64_t{0}));
    if (found == waiting_.end()) return;
    found->second.set_value(std::move(answer));
    waiting_.erase(found);
}

void BrowserConnection::read_answers() {
    std::string text;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || text.size() > kLongestLine) break;
        const std::size_t before = text.size();
        text.append(buffer.data(), static_cast<std::size_t>(got));
        std::size_t begin = 0;
        for (auto at = text.find('\n', before); at != text.npos; at = text.find('\n', begin)) {
            give(text.substr(begin, at - begin));
            begin = at + 1;
        }
        text.erase(0, begin);
    }
    ::shutdown(socket_, SHUT_RDWR);
    {
        const std::lock_guard lock(mutex_);
        gone_ = true;
        for (auto& [id, promise] : waiting_) promise.set_value(std::nullopt);
        waiting_.clear();
    }
    reap();
}

// The program closes its browser and ends, because this end of the socket is closed; otherwise it
// is killed.
void BrowserConnection::reap() const {
    for (int step = 0; step < kEndSteps; ++step) {
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace svc::devapi
