#include "standby/link.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <filesystem>
#include <system_error>

#include "log/log.hpp"
#include "standby/messages.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kAnswerTime = 2s;
constexpr auto kGoneTime = 3s;
constexpr std::chrono::milliseconds kFirstPause = 100ms, kLongestPause = 10s;
constexpr auto kDrainTime = 2s;
constexpr auto kTableTime = 50ms;  // so that many changes at once are told once

std::string stem(const Config& config) { return config.home + "/run/standby"; }

// The program that runs now, also where its file is another one by now.
Launch launch_of(const Config& config) {
    return {"/proc/self/exe",
            {"SVC_APP_USER=" + config.app_user},
            stem(config),
            config.home + "/standby.log",
            {}};
}

template <class Test>
void run_until(asio::io_context& io, std::chrono::milliseconds limit, Test test) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!test() && std::chrono::steady_clock::now() < end) io.run_one_until(end);
}

}  // namespace

// A standby that an earlier svcd left.
struct StandbyLink::Earlier {
    std::string socket, address;
    std::shared_ptr<http::ControlLine> line;
    int listener = -1;
    bool answered = false, gone = false;
};

StandbyLink::StandbyLink(asio::io_context& io, const Config& config, Directory& directory,
                         Apps& apps, Take take)
    : io_(io),
      config_(config),
      directory_(directory),
      apps_(apps),
      take_(std::move(take)),
      again_(io),
      tell_(io),
      pause_(kFirstPause) {}

// ---- the earlier one ----

void StandbyLink::ask(const std::shared_ptr<Earlier>& earlier) {
    earlier->line->start(
        [this, earlier](http::Message message) {
            if (message.kind == 'A') {
                earlier->address = std::move(message.payload);
                earlier->listener = message.fd;
                earlier->answered = true;
            } else if (message.kind == 'H' && message.fd >= 0) {
                take_(http::to_connection(std::move(message)));
            } else if (message.fd >= 0) {
                ::close(message.fd);
            }
        },
        [earlier] { earlier->gone = true; });
    earlier->line->send({.kind = '?', .payload = {}});
    run_until(io_, kAnswerTime, [&] { return earlier->answered || earlier->gone; });
}

int StandbyLink::take_listener() {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(fs::path(stem(config_)).parent_path(), none)) {
        const std::string path = entry.path();
        if (!path.starts_with(stem(config_) + "-")) continue;
        try {
            auto line = http::ControlLine::connect(io_, path);
            earlier_.push_back(std::make_shared<Earlier>(Earlier{path, {}, std::move(line)}));
            ask(earlier_.back());
        } catch (const std::system_error&) {
            ::unlink(path.c_str());  // of one that is gone
        }
    }
    int found = -1;
    for (const auto& earlier : earlier_) {
        const bool same = earlier->address == config_.listen;
        if (same && found < 0) std::swap(found, earlier->listener);
        if (earlier->listener >= 0) ::close(std::exchange(earlier->listener, -1));
        if (!same) dismiss(*earlier);
    }
    return found;
}

// It may listen on what we are about to.
void StandbyLink::dismiss(Earlier& earlier) {
    earlier.line->send({.kind = 'D', .payload = {}});
    run_until(io_, kGoneTime, [&earlier] { return earlier.gone; });
}

// ---- our own ----

void StandbyLink::start(int listener) {
    listener_ = listener;
    fs::create_directories(fs::path(stem(config_)).parent_path());
    directory_.on_change([this] { tell_table_soon(); });
    apps_.on_socket([this](const AppId& app, const std::optional<std::string>& path) {
        if (process_) process_->tell({.kind = 'S', .payload = to_text(SocketOf{app, path})});
    });
    launch();
}

void StandbyLink::launch() try {
    Process::Events events;
    events.connected = [this](Process& process) { connected(process); };
    events.ready = [this](const Process::Self& process) {
        log::write(log::Level::info, "standby_ready", {{"pid", std::int64_t{process->pid()}}});
        pause_ = kFirstPause;
        for (const auto& earlier : std::exchange(earlier_, {})) {
            earlier->line->send({.kind = 'D', .payload = {}});
            ::unlink(earlier->socket.c_str());
        }
    };
    events.returned = take_;
    events.ended = [this](const Process::Self& process, const std::string& how) {
        if (process == process_) process_ = nullptr;
        if (stopping_) return;
        log::write(log::Level::error, "standby_ended", {{"what", how}});
        launch_later();
    };
    process_ = Process::start(io_, launch_of(config_), std::move(events));
} catch (const std::exception& error) {
    log::write(log::Level::error, "standby_not_started", {{"what", error.what()}});
    launch_later();
}

void StandbyLink::launch_later() {
    again_.expires_after(pause_);
    pause_ = std::min(pause_ * 2, kLongestPause);
    again_.async_wait([this](const boost::system::error_code& error) {
        if (!error && !stopping_) launch();
    });
}

void StandbyLink::tell_table(Process& process) {
    const RoutingTable table{config_, directory_.content()};
    process.tell({.kind = 'T', .payload = {}, .fd = to_memory(to_text(table))});
}

void StandbyLink::connected(Process& process) {
    process.tell(
        {.kind = 'L', .payload = config_.listen, .fd = ::fcntl(listener_, F_DUPFD_CLOEXEC, 3)});
    for (const auto& [app, path] : apps_.sockets())
        process.tell({.kind = 'S', .payload = to_text(SocketOf{app, path})});
    tell_table(process);
}

// On any thread. Before the change is answered, unless others came just before it.
void StandbyLink::tell_table_soon() {
    if (to_tell_.exchange(true)) return;
    asio::post(io_, [this] {
        const auto wait = told_at_ + kTableTime - std::chrono::steady_clock::now();
        if (wait <= 0s) return tell_table();
        tell_.expires_after(wait);
        tell_.async_wait([this](const boost::system::error_code& error) {
            if (!error) tell_table();
        });
    });
}

void StandbyLink::tell_table() {
    to_tell_ = false;
    told_at_ = std::chrono::steady_clock::now();
    if (process_) tell_table(*process_);
}

void StandbyLink::stop() {
    stopping_ = true;
    again_.cancel();
    tell_.cancel();
    if (process_) process_->drain(kDrainTime);
}

}  // namespace svc::devapi
