#include "apps/process/app_slot.hpp"

#include <unistd.h>

#include <boost/asio.hpp>
#include <filesystem>
#include <system_error>

#include "apps/process/spawn.hpp"
#include "common/server_log.hpp"
#include "ops/drain_time.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kDrainTime = ops::kHandOverTime + 5s;  // a server ends by itself before
constexpr auto kStopTime = 4s;                        // when svcd itself ends

}  // namespace

AppSlot::AppSlot(asio::io_context& io, Hooks hooks)
    : io_(io), hooks_(std::move(hooks)), waiting_(io, hooks_.refuse), restart_(io) {}

bool AppSlot::runs(const Launch& launch) const {
    return live_ && live_->serves() && live_->is(launch);
}

// `ready` and `not_ready` exclude each other; `not_ready` gets why the process ended before it was.
Process::Events AppSlot::events(std::function<void(Process::Self)> ready,
                                std::function<void(const std::string&)> not_ready) {
    Process::Events out;
    out.ready = std::move(ready);
    out.returned = hooks_.returned;
    out.ended = [weak = weak_from_this(), not_ready = std::move(not_ready)](
                    const Process::Self& process, const std::string& how) {
        if (!process->ready() && not_ready) not_ready(how);
        if (auto self = weak.lock()) self->ended(process, how);
    };
    return out;
}

Process::Events AppSlot::standing_events() {
    return events([weak = weak_from_this()](Process::Self process) {
        if (auto self = weak.lock()) self->go_live(std::move(process));
    });
}

void AppSlot::trial(const Launch& launch, const Started& started) {
    try {
        others_.push_back(Process::start(
            io_, launch,
            events([started](Process::Self process) { started(std::move(process), {}); },
                   [started](const std::string& how) { started(nullptr, how); })));
    } catch (const std::exception& error) {
        started(nullptr, error.what());
    }
}

void AppSlot::promote(Process::Self trial) {
    launch_ = trial->launch();
    wanted_ = true;
    pause_.reset();
    restart_.cancel();
    if (auto stale = std::exchange(starting_, nullptr)) {
        others_.push_back(stale);
        stale->end();
    }
    std::erase(others_, trial);
    if (trial->serves())
        go_live(std::move(trial));
    else
        start();
}

void AppSlot::resume(const Launch& launch) {
    take_over(launch);
    start();
}

void AppSlot::take_over(const Launch& launch) {
    launch_ = launch;
    wanted_ = true;
    find_running();
}

void AppSlot::find_running() {
    const fs::path stem = launch_->socket_stem;
    for (const auto& entry : fs::directory_iterator(stem.parent_path())) {
        if (!entry.path().filename().string().starts_with(stem.filename().string() + "-")) continue;
        // The folder is the app's: a link in it could lead to another's server.
        if (!fs::is_socket(entry.symlink_status())) continue;
        auto found = Process::find(io_, entry.path(), *launch_, found_events());
        if (!found)
            ::unlink(entry.path().c_str());
        else if (!starting_ && found->is(*launch_))
            starting_ = std::move(found);
        else if (serves_same_app(found->pid(), *launch_))
            others_.push_back(std::move(found));
        else
            retire(found);
    }
}

// A found process with other settings serves until this slot's own is ready; among several, the
// first.
Process::Events AppSlot::found_events() {
    return events([weak = weak_from_this()](const Process::Self& process) {
        const auto self = weak.lock();
        if (!self) return;
        const bool ours = process == self->starting_;
        if (!ours && (self->live_ || !self->wanted_)) return process->drain(kDrainTime);
        if (!ours) std::erase(self->others_, process);
        self->go_live(process);
    });
}

void AppSlot::start() {
    if (!wanted_ || !launch_ || starting_ || runs(*launch_)) return;
    try {
        starting_ = Process::start(io_, *launch_, standing_events());
        if (!live_) hooks_.starts();
    } catch (const std::exception& error) {
        failed(error.what());
    }
}

void AppSlot::start_later() {
    restart_.expires_after(pause_.next());
    restart_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        if (auto self = weak.lock(); self && !error) self->start();
    });
}

void AppSlot::go_live(Process::Self process) {
    if (starting_ == process) starting_.reset();
    auto old = std::exchange(live_, std::move(process));
    hooks_.live(true);
    waiting_.empty_into([this](http::Connection connection) { pass(std::move(connection)); });
    if (old) retire(old);
}

void AppSlot::retire(const Process::Self& process) {
    others_.push_back(process);
    process->drain(kDrainTime);
}

void AppSlot::pass(http::Connection connection) {
    if (live_ && live_->serves())
        live_->pass(std::move(connection));
    else if (wanted_)
        waiting_.add(std::move(connection));
    else
        hooks_.refuse(std::move(connection));
}

void AppSlot::reload_keys(const std::function<void()>& done) {
    std::vector<Process::Self> all = others_;
    if (live_) all.push_back(live_);
    if (starting_) all.push_back(starting_);
    // Shared by all of them; the last one to let go calls it.
    std::shared_ptr<void> last(nullptr, [done](void*) { done(); });
    for (const auto& process : all) process->reload_keys([last] {});
}

void AppSlot::trim_log() const {
    if (live_) devapi::trim_log(live_->launch().log);
}

void AppSlot::stop(std::function<void()> done) {
    wanted_ = false;
    restart_.cancel();
    waiting_.empty_into(hooks_.refuse);
    stopped_.push_back(std::move(done));
    for (auto* held : {&live_, &starting_})
        if (auto process = std::exchange(*held, nullptr)) others_.push_back(process);
    for (const auto& process : std::vector(others_)) process->drain(kStopTime);
    if (others_.empty())
        for (auto& stopped : std::exchange(stopped_, {})) stopped();
}

void AppSlot::ended(const Process::Self& process, const std::string& how) {
    std::erase(others_, process);
    if (process == starting_) {
        starting_.reset();
        failed(how);
    } else if (process == live_) {
        live_.reset();
        hooks_.live(false);
        pause_.note_end(std::chrono::steady_clock::now() - process->ready_at());
        failed(how);
    }
    if (others_.empty())
        for (auto& stopped : std::exchange(stopped_, {})) stopped();
}

void AppSlot::failed(const std::string& how) {
    hooks_.crashed(how);
    if (wanted_) start_later();
}

}  // namespace svc::devapi
