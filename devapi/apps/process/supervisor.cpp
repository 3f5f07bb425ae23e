#include "apps/process/supervisor.hpp"

#include <unistd.h>

#include <boost/asio.hpp>

#include "apps/io_call.hpp"
#include "log/log.hpp"

namespace svc::devapi {

Supervisor::Supervisor(asio::io_context& io, AppStates& states)
    : io_(io), states_(states), unavailable_(io), log_timer_(io) {
    watch_logs();
}

// ---- worker threads ----

Supervisor::Trial Supervisor::start_beside(const AppId& app, const Launch& launch) {
    return promised_on_io<Trial>(
               io_,
               [this, app, launch](auto give) {
                   slot(app).trial(launch, [give](Process::Self process, const std::string& error) {
                       give(Trial{std::move(process), error});
                   });
               })
        .get();
}

void Supervisor::promote(const AppId& app, const Process::Self& trial) {
    on_io(io_, [&] { slot(app).promote(trial); });
}

void Supervisor::discard(const Process::Self& trial) {
    on_io(io_, [&] { trial->end(); });
}

void Supervisor::pass_to(const Process::Self& trial, http::Connection connection) {
    on_io(io_, [&] {
        if (trial->serves())
            trial->pass(std::move(connection));
        else
            ::close(connection.fd);
    });
}

bool Supervisor::runs(const AppId& app, const Launch& launch) {
    return on_io(io_, [&] { return slot(app).runs(launch); });
}

bool Supervisor::reload_keys(const AppId& app, std::chrono::milliseconds limit) {
    auto done = promised_on_io<bool>(
        io_, [this, app](auto give) { slot(app).reload_keys([give] { give(true); }); });
    if (done.wait_for(limit) == std::future_status::ready) return true;
    log::write(log::Level::warning, "keys_reload_late", {{"project", app.first}});
    return false;
}

void Supervisor::stop(const AppId& app) {
    promised_on_io<bool>(io_, [this, app](auto give) {
        slot(app).stop([give] { give(true); });
    }).wait();
    on_io(io_, [&] {
        slots_.erase(app);
        socket_changed_(app, std::nullopt);
    });
}

// ---- any thread ----

void Supervisor::expect(const AppId& app) {
    asio::post(io_, [this, app] { slot(app).expect(); });
}

void Supervisor::resume(const AppId& app, const Launch& launch) {
    asio::post(io_, [this, app, launch] { slot(app).resume(launch); });
}

void Supervisor::take_over(const AppId& app, const Launch& launch) {
    asio::post(io_, [this, app, launch] { slot(app).take_over(launch); });
}

// ---- io thread ----

bool Supervisor::wanted(const AppId& app) const {
    const auto found = slots_.find(app);
    return found != slots_.end() && found->second->wanted();
}

void Supervisor::pass(const AppId& app, http::Connection connection) {
    const auto found = slots_.find(app);
    if (found == slots_.end())
        unavailable_.answer(std::move(connection));
    else
        found->second->pass(std::move(connection));
}

std::map<AppId, std::string> Supervisor::sockets() const {
    std::map<AppId, std::string> out;
    for (const auto& [app, slot] : slots_)
        if (slot->wanted()) out[app] = slot->socket();
    return out;
}

void Supervisor::stop_all(std::function<void()> done) {
    stopping_ = true;
    log_timer_.cancel();
    // Shared by all of them; the last one to let go calls it.
    std::shared_ptr<void> last(nullptr, [done = std::move(done)](void*) { done(); });
    for (auto& [app, slot] : slots_) slot->stop([last] {});
}

AppSlot& Supervisor::slot(const AppId& app) {
    auto& held = slots_[app];
    if (!held) held = std::make_shared<AppSlot>(io_, hooks(app));
    return *held;
}

AppSlot::Hooks Supervisor::hooks(const AppId& app) {
    AppSlot::Hooks out;
    out.returned = [this](http::Connection connection) { take_back(std::move(connection)); };
    out.refuse = [this](http::Connection connection) {
        unavailable_.answer(std::move(connection));
    };
    out.live = [this, app](bool live) {
        states_.change(app, [live](AppState& state) { state.live = live; });
        report_socket(app);
    };
    out.starts = [this, app] { report_socket(app); };
    out.crashed = [this, app](const std::string& how) {
        log::write(log::Level::error, "app_crashed",
                   {{"project", app.first}, {"env", name(app.second)}});
        states_.change(app, [&how](AppState& state) { state.last_error = how; });
    };
    return out;
}

void Supervisor::report_socket(const AppId& app) {
    if (const auto found = slots_.find(app); found != slots_.end())
        socket_changed_(app, found->second->socket());
}

void Supervisor::take_back(http::Connection connection) {
    if (stopping_ || !take_)
        ::close(connection.fd);
    else
        take_(std::move(connection));
}

void Supervisor::watch_logs() {
    log_timer_.expires_after(std::chrono::minutes(1));
    log_timer_.async_wait([this](const boost::system::error_code& error) {
        if (error) return;
        for (auto& [app, slot] : slots_) slot->trim_log();
        watch_logs();
    });
}

}  // namespace svc::devapi
