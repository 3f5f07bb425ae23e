#include "ops/worker.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "log/log.hpp"

namespace svc::ops {
namespace {

using Clock = std::chrono::steady_clock;
using Attempt = Task<> (AppService::*)();

http::Limits limits(const Settings& settings) {
    http::Limits limits;
    limits.trusted_proxies = settings.trusted_proxies;
    // A server of the author's holds all streams of its key from one address, and makes calls
    // besides.
    limits.connections_an_address =
        std::max<std::size_t>(limits.connections_an_address, 2 * std::size_t{settings.streams});
    limits.tls = settings.origin.starts_with("https:");
    return limits;
}

Task<std::string> try_once(AppService* service, Attempt attempt) {
    try {
        co_await (service->*attempt)();
    } catch (const std::exception& error) {
        std::string what = error.what();
        co_return what.empty() ? "unknown error" : what;
    }
    co_return std::string();
}

// A database that is away comes back: the pause doubles from 100 ms to 2 s.
Task<> persist(asio::io_context* io, AppService* service, Attempt attempt,
               std::chrono::seconds patience, Worker::Opened report) {
    Clock::time_point end = Clock::now() + patience;
    std::chrono::milliseconds pause{100};
    for (;;) {
        std::string error = co_await try_once(service, attempt);
        if (error.empty() || Clock::now() + pause > end) {
            report(std::move(error));
            co_return;
        }
        log::write(log::Level::warning, "database_unavailable",
                   {{"what", error}, {"retry_ms", std::int64_t{pause.count()}}});
        asio::steady_timer timer(*io, pause);
        co_await timer.async_wait(asio::use_awaitable);
        pause = std::min(pause * 2, std::chrono::milliseconds(2000));
    }
}

Task<> leave_then(AppService* service, std::function<void()> left) {
    co_await service->leave();
    left();
}

}  // namespace

Worker::Worker(const App& app, const Settings& settings, AppService::HandOff hand_off)
    : service_(io, app, settings, std::move(hand_off)), server_(io, service_, limits(settings)) {}

void Worker::open(std::chrono::seconds patience, Opened opened) {
    asio::co_spawn(io, persist(&io, &service_, &AppService::open, patience, std::move(opened)),
                   asio::detached);
}

void Worker::reload_keys(std::chrono::seconds patience, Opened reloaded) {
    asio::co_spawn(io,
                   persist(&io, &service_, &AppService::reload_keys, patience, std::move(reloaded)),
                   asio::detached);
}

void Worker::adopt(http::Connection connection) {
    asio::post(io, [this, connection = std::move(connection)]() mutable {
        server_.adopt(std::move(connection));
    });
}

void Worker::drain(bool hand_idle, std::function<void()> done) {
    asio::post(io, [this, hand_idle, done = std::move(done)]() mutable {
        server_.drain(hand_idle, std::move(done));
    });
}

void Worker::end_streams() {
    asio::post(io, [this] { server_.end_streams(); });
}

void Worker::leave(std::function<void()> left) {
    asio::co_spawn(io, leave_then(&service_, std::move(left)), asio::detached);
}

void Worker::start_thread() {
    thread_ = std::thread([this] { io.run(); });
}

void Worker::stop_thread() {
    io.stop();
    if (thread_.joinable()) thread_.join();
}

}  // namespace svc::ops
