#include "apps/process/process.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {  // which glibc 2.36 forgets in this header
#include <sys/pidfd.h>
}

#include <boost/asio.hpp>
#include <cstring>
#include <system_error>

#include "apps/process/spawn.hpp"
#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "common/server_log.hpp"
#include "ops/admin_path.hpp"
#include "ops/drain_time.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartTime = 20s;
constexpr auto kConnectPause = 3ms;  // a server is ready 20 ms after its start
constexpr auto kEndsWithin = 5s;
static_assert(ops::kHurriedTime + ops::kLastWords < kEndsWithin);
constexpr auto kLineTime = 1s;
constexpr auto kKeysReadWithin = 30s;  // longer than a server tries to read its keys

// Connected, or -1 if nobody listens (yet).
int connect_socket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
}

// The id of the process that called listen().
pid_t peer_pid(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

std::string describe(const siginfo_t& info) {
    if (info.si_code == CLD_EXITED)
        return "The app server ended with code " + std::to_string(info.si_status) + ".";
    return "The app server was ended by signal " + std::to_string(info.si_status) + " (" +
           strsignal(info.si_status) + ").";
}

}  // namespace

Process::Process(asio::io_context& io, pid_t pid, std::string socket, Launch launch, Events events)
    : io_(io),
      pid_(pid),
      socket_(std::move(socket)),
      launch_(std::move(launch)),
      events_(std::move(events)),
      pidfd_(io),
      connect_timer_(io),
      end_timer_(io),
      log_from_(log_size(launch_.log)) {
    const int fd = ::pidfd_open(pid, 0);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
    pidfd_.assign(fd);
}

Process::~Process() = default;

Process::Self Process::start(asio::io_context& io, const Launch& launch, Events events) {
    const std::string socket =
        launch.socket_stem + "-" + base::hex(base::random_bytes(4)) + ".sock";
    const pid_t pid = spawn_server(launch, socket);
    Self self(new Process(io, pid, socket, launch, std::move(events)));
    self->watch();
    self->connect_soon();
    return self;
}

Process::Self Process::find(asio::io_context& io, const std::string& socket, const Launch& launch,
                            Events events) {
    const int fd = connect_socket(socket);
    if (fd < 0) return nullptr;
    const pid_t pid = peer_pid(fd);
    if (pid <= 0 || ::kill(pid, 0) != 0) {
        ::close(fd);
        return nullptr;
    }
    try {
        Self self(new Process(io, pid, socket, launch, std::move(events)));
        self->otherwise_ = !was_started_as(pid, launch);
        self->watch();
        self->attach(fd);
        return self;
    } catch (const std::system_error&) {
        ::close(fd);  // it ended just now
        return nullptr;
    }
}

void Process::watch() {
    pidfd_.async_wait(asio::posix::descriptor_base::wait_read,
                      [self = shared_from_this()](const boost::system::error_code& error) {
                          if (!error) self->exited();
                      });
    after(kStartTime, &Process::kill_late);
}

void Process::connect_soon() {
    if (!alive()) return;
    if (const int fd = connect_socket(socket_); fd >= 0) return attach(fd);
    connect_timer_.expires_after(kConnectPause);
    connect_timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
        if (!error) self->connect_soon();
    });
}

void Process::attach(int fd) {
    let_in_group(socket_, launch_);
    control_ = http::ControlConnection::attach(io_, fd);
    std::weak_ptr<Process> weak = shared_from_this();
    control_->start(
        [weak](http::Message message) {
            if (auto self = weak.lock())
                self->receive(std::move(message));
            else if (message.fd >= 0)
                ::close(message.fd);
        },
        [weak] {
            if (auto self = weak.lock()) self->line_closed();
        });
    control_->give_back([weak](http::Message message) {
        const auto self = weak.lock();
        if (self && message.kind == 'C' && self->events_.returned)
            self->events_.returned(http::to_connection(std::move(message)));
        else if (message.fd >= 0)
            ::close(message.fd);
    });
    if (events_.connected) events_.connected(*this);
}

void Process::receive(http::Message message) {
    if (message.kind == 'R') {
        become_ready();
    } else if (message.kind == 'H' && message.fd >= 0) {
        if (!events_.returned) return void(::close(message.fd));
        events_.returned(http::to_connection(std::move(message)));
    } else if (message.kind == 'k') {
        keys_are_read();
    } else if (events_.said) {
        events_.said(std::move(message));
    } else if (message.fd >= 0) {
        ::close(message.fd);
    }
}

void Process::become_ready() {
    if (ready_ || !alive()) return;
    ready_ = true;
    ready_at_ = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < keys_asked_.size(); ++i) control_->send({'K', {}, -1});
    if (ending_) return;
    ++turn_;
    end_timer_.cancel();
    events_.ready(shared_from_this());
}

void Process::pass(http::Connection connection) {
    connection.must_serve = true;
    control_->send(http::to_message('C', std::move(connection)));
}

void Process::send(http::Message message) {
    if (control_)
        control_->send(std::move(message));
    else if (message.fd >= 0)
        ::close(message.fd);
}

void Process::reload_keys(std::function<void()> done) {
    if (!alive()) return done();
    keys_asked_.push_back({std::move(done), std::chrono::steady_clock::now()});
    if (ready_ && control_) control_->send({'K', {}, -1});
}

// A server that could not read its keys gives up and never answers: an answer is not that
// question's.
void Process::keys_are_read() {
    const auto oldest = std::chrono::steady_clock::now() - kKeysReadWithin;
    while (!keys_asked_.empty() && keys_asked_.front().at < oldest) keys_asked_.pop_front();
    if (keys_asked_.empty()) return;
    auto done = std::move(keys_asked_.front().done);
    keys_asked_.pop_front();
    done();
}

void Process::drain(std::chrono::milliseconds limit) {
    if (!alive()) return;
    if (!control_) return end();
    if (!std::exchange(ending_, true)) control_->send({'D', {}, -1});
    after(limit, &Process::end);
}

void Process::end() {
    if (!alive()) return;
    ending_ = true;
    signal(SIGTERM);
    after(kEndsWithin, &Process::kill_late);
}

void Process::kill() { signal(SIGKILL); }

void Process::kill_late() {
    late_ = !ready_ && !ending_;
    signal(SIGKILL);
}

// Without the control connection svcd cannot reach the process any more. It may be about to end by
// itself.
void Process::line_closed() {
    control_.reset();
    if (!alive()) return finish();
    if (!ending_) end();
}

void Process::after(std::chrono::milliseconds time, void (Process::*act)()) {
    end_timer_.expires_after(time);
    end_timer_.async_wait(
        [self = shared_from_this(), act, turn = ++turn_](const boost::system::error_code& error) {
            if (!error && turn == self->turn_) (self.get()->*act)();
        });
}

void Process::signal(int number) {
    if (alive()) ::pidfd_send_signal(pidfd_.native_handle(), number, nullptr, 0);
}

std::string Process::how_it_ended() {
    siginfo_t info{};
    const bool child =
        ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.native_handle()), &info, WEXITED | WNOHANG) == 0;
    std::string text = child && info.si_pid ? describe(info) : "The app server ended.";
    if (late_) text = "The app server was not ready within 20 seconds.";
    const std::string log = log_tail(launch_.log, log_from_);
    return log.empty() ? text : text + "\n" + log;
}

// The control connection may still have idle connections that it handed back before its end. It
// reports the end after they are read.
void Process::exited() {
    how_ = how_it_ended();
    pidfd_.close();
    connect_timer_.cancel();
    ::unlink(socket_.c_str());
    ::unlink(ops::admin_path(socket_).c_str());
    if (!control_) return finish();
    after(kLineTime, &Process::finish);
}

void Process::finish() {
    ++turn_;
    end_timer_.cancel();
    if (auto control = std::exchange(control_, nullptr)) control->close();
    for (auto& asked : std::exchange(keys_asked_, {})) asked.done();
    // Moved out first: the handlers own the owner of this object.
    if (auto events = std::exchange(events_, {}); events.ended)
        events.ended(shared_from_this(), how_);
}

}  // namespace svc::devapi
