#include "standby/standby_supervisor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <filesystem>
#include <system_error>

#include "common/server_log.hpp"
#include "log/log.hpp"
#include "standby/messages.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kStandbyAnswerTime = 2s;
constexpr auto kStandbyGoneTime = 3s;
constexpr std::chrono::milliseconds kFirstTryPause = 100ms, kLongestTryPause = 10s;
constexpr auto kLetGoTime = 2s;
constexpr auto kAskEach = 10s;
constexpr auto kTableTime = 50ms;  // so that many changes together are sent once

std::string stem(const Config& config) { return config.home + "/run/standby"; }

// The running program, even if its file was replaced since.
Launch launch_of(const Config& config) {
    return {"/proc/self/exe",
            {"SVC_APP_USER=" + config.app_user},
            stem(config),
            config.home + "/standby.log",
            {},
            "svcd"};
}

template <class Test>
void run_until(asio::io_context& io, std::chrono::milliseconds limit, Test test) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!test() && std::chrono::steady_clock::now() < end) io.run_one_until(end);
}

}  // namespace

// A standby that an earlier svcd left.
struct StandbySupervisor::Earlier {
    Process::Self process;
    std::string address;
    int listener = -1;
    bool answered = false, gone = false;
};

StandbySupervisor::StandbySupervisor(asio::io_context& io, const Config& config,
                                     Directory& directory, Apps& apps, Take take)
    : io_(io),
      config_(config),
      directory_(directory),
      apps_(apps),
      take_(std::move(take)),
      again_(io),
      send_timer_(io),
      ask_(io),
      pause_(kFirstTryPause) {}

// ---- the earlier one ----

void StandbySupervisor::find(const std::string& socket) {
    auto earlier = std::make_shared<Earlier>();
    Process::Events events;
    events.ready = [](const Process::Self&) {};
    events.returned = take_;
    events.said = [earlier](http::Message message) {
        if (message.kind == 'A') {
            earlier->address = std::move(message.payload);
            std::swap(earlier->listener, message.fd);
            earlier->answered = true;
        }
        if (message.fd >= 0) ::close(message.fd);
    };
    events.ended = [earlier](const Process::Self&, const std::string&) { earlier->gone = true; };
    earlier->process = Process::find(io_, socket, launch_of(config_), std::move(events));
    if (!earlier->process) return void(::unlink(socket.c_str()));
    earlier->process->send({.kind = '?', .payload = {}});
    run_until(io_, kStandbyAnswerTime, [&earlier] {
        return (earlier->answered && earlier->process->ready()) || earlier->gone;
    });
    earlier_.push_back(std::move(earlier));
}

int StandbySupervisor::take_listener() {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(fs::path(stem(config_)).parent_path(), none))
        if (entry.path().string().starts_with(stem(config_) + "-")) find(entry.path());
    int found = -1;
    for (const auto& earlier : earlier_) {
        const bool same = earlier->address == config_.listen;
        if (same && found < 0) std::swap(found, earlier->listener);
        if (earlier->listener >= 0) ::close(std::exchange(earlier->listener, -1));
        // An earlier standby that does not answer would keep the address for ever. One on another
        // address of the same port would keep the port from this svcd. Every other one is dismissed
        // once svcd's own runs.
        const bool in_the_way = earlier->address.ends_with(":" + config_.listen_port());
        if (!earlier->answered || (!same && in_the_way)) dismiss(*earlier);
    }
    std::erase_if(earlier_, [](const auto& earlier) { return earlier->gone; });
    return found;
}

void StandbySupervisor::dismiss(Earlier& earlier) {
    const auto gone = [&earlier] { return earlier.gone; };
    earlier.process->drain(kStandbyGoneTime);
    run_until(io_, kStandbyGoneTime, gone);
    if (earlier.gone) return;
    earlier.process->kill();
    run_until(io_, kStandbyGoneTime, gone);
}

// ---- our own ----

void StandbySupervisor::start(int listener) {
    listener_ = listener;
    fs::create_directories(fs::path(stem(config_)).parent_path());
    directory_.on_change([this] { send_table_soon(); });
    apps_.on_socket([this](const AppId& app, const std::optional<std::string>& path) {
        if (process_) process_->send({.kind = 'S', .payload = to_text(AppSocket{app, path})});
    });
    launch();
}

void StandbySupervisor::launch() try {
    Process::Events events;
    events.connected = [this](Process& process) { connected(process); };
    events.ready = [this](const Process::Self& process) {
        log::write(log::Level::info, "standby_ready", {{"pid", std::int64_t{process->pid()}}});
        pause_ = kFirstTryPause;
        for (const auto& earlier : std::exchange(earlier_, {})) earlier->process->drain(kLetGoTime);
        watch();
    };
    events.returned = take_;
    events.said = [this](const http::Message& message) {
        if (message.fd >= 0) ::close(message.fd);
        if (message.kind == 'p') silent_ = false;
    };
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

// A standby that hangs would hold the address and answer nobody when it is needed.
void StandbySupervisor::watch() {
    if (process_) trim_log(process_->launch().log);
    ask_.expires_after(kAskEach);
    ask_.async_wait([this](const boost::system::error_code& error) {
        if (error || !process_ || stopping_) return;
        silent_ = true;
        process_->send({.kind = 'P', .payload = {}});
        ask_.expires_after(kStandbyAnswerTime);
        ask_.async_wait([this](const boost::system::error_code& late) {
            if (late || !process_ || stopping_) return;
            if (silent_)
                process_->kill();
            else
                watch();
        });
    });
}

void StandbySupervisor::launch_later() {
    again_.expires_after(pause_);
    pause_ = std::min(pause_ * 2, kLongestTryPause);
    again_.async_wait([this](const boost::system::error_code& error) {
        if (!error && !stopping_) launch();
    });
}

void StandbySupervisor::send_table(Process& process) {
    const RoutingTable table{config_, directory_.content()};
    process.send({.kind = 'T', .payload = {}, .fd = to_memory(to_text(table))});
}

void StandbySupervisor::connected(Process& process) {
    process.send(
        {.kind = 'L', .payload = config_.listen, .fd = ::fcntl(listener_, F_DUPFD_CLOEXEC, 3)});
    for (const auto& [app, path] : apps_.sockets())
        process.send({.kind = 'S', .payload = to_text(AppSocket{app, path})});
    send_table(process);
}

// Callable on any thread. The table is sent before the change is answered, unless other changes
// came just before it.
void StandbySupervisor::send_table_soon() {
    if (table_changed_.exchange(true)) return;
    asio::post(io_, [this] {
        const auto wait = sent_at_ + kTableTime - std::chrono::steady_clock::now();
        if (wait <= 0s) return send_table();
        send_timer_.expires_after(wait);
        send_timer_.async_wait([this](const boost::system::error_code& error) {
            if (!error) send_table();
        });
    });
}

void StandbySupervisor::send_table() {
    table_changed_ = false;
    sent_at_ = std::chrono::steady_clock::now();
    if (process_) send_table(*process_);
}

void StandbySupervisor::stop() {
    stopping_ = true;
    again_.cancel();
    send_timer_.cancel();
    ask_.cancel();
    if (process_) process_->drain(kLetGoTime);
}

}  // namespace svc::devapi
