#include "run/engine/lease.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "log/log.hpp"
#include "outgoing/off_thread.hpp"
#include "pq/connection.hpp"
#include "run/engine/process_life.hpp"

namespace svc::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBeat{2000}, kFirstPause{100}, kLongestPause{500};
// Polls come each second, so one may be a little early for the heartbeat.
constexpr std::chrono::milliseconds kEarly{100};
// So often the connection is used in any case: what cuts idle connections leaves it alone.
constexpr std::chrono::seconds kOwnBeat{30};
constexpr std::chrono::milliseconds kLate{1500};  // so long the lease waits for others' exchanges

// A connection that ended, or whose server sent something, can be read from.
bool is_silent(const pq::Connection& connection) {
    pollfd socket{PQsocket(connection.handle()), POLLIN | POLLRDHUP, 0};
    return socket.fd >= 0 && ::poll(&socket, 1, 0) == 0;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

}  // namespace

// All of it blocks.
struct Lease::Held {
    explicit Held(std::string url) : url(std::move(url)) {}

    // The number: the earlier one if it is still valid. Empty if there is none; `words` then say
    // why. `sent`: somebody else has sent its heartbeat.
    std::string beat(bool sent) {
        const bool recent = Clock::now() - asked < kOwnBeat;
        if (sent && recent && connection && !number.empty() && is_silent(*connection))
            return number;
        asked = Clock::now();
        if (connection && !number.empty() && ask("select svc.beat($1::bigint)", {number}) == "t")
            return number;
        if (!number.empty()) before = std::exchange(number, {});
        // Another connection: the lock of the number before goes with the old one.
        connection.emplace(url);
        number = connection->open() ? new_number() : std::string();
        if (number.empty())
            words = connection->error_message();
        else
            give_back();
        return number;
    }

    std::string new_number() const {
        const ProcessLife life = own_life();
        const bool seen = !life.machine.empty();
        const std::string host = host_name(), pid = std::to_string(life.pid);
        const std::string ticks = std::to_string(life.ticks);
        return ask("select svc.new_incarnation($1::text, $2::text, $3::integer, $4::bigint)",
                   {host, seen ? pq::Param(life.machine) : std::nullopt, pid, ticks});
    }

    // Gives back the runs of the number before. No other process knows that it is free: right
    // after a start of PostgreSQL a missing lock proves nothing.
    void give_back() {
        if (before.empty()) return;
        const std::string done = ask("select svc.lose($1::bigint)", {before});
        if (!done.empty()) before.clear();
    }

    std::string ask(const char* statement, std::initializer_list<pq::Param> params) const {
        const pq::Result result = connection->run_one(statement, {params.begin(), params.size()});
        return pq::done(result) && PQntuples(result.get()) == 1 ? PQgetvalue(result.get(), 0, 0)
                                                                : "";
    }

    const std::string url;
    std::optional<pq::Connection> connection;
    Clock::time_point asked{};  // when the connection was last used
    std::string number, words;
    std::string before;  // whose runs are still to be given back
};

namespace {

template <class Held>
struct HeartbeatJob {
    std::shared_ptr<Held> held;
    bool sent;
    std::string operator()() const { return held->beat(sent); }
};

}  // namespace

Lease::Lease(asio::io_context& io, std::string url, std::function<void()> changed)
    : io_(io),
      changed_(std::move(changed)),
      held_(std::make_shared<Held>(std::move(url))),
      timer_(io) {}

Lease::~Lease() { threads_.join(); }

bool Lease::beat_is_due() const {
    return !owner_.empty() && Clock::now() - beaten_ >= kBeat - kEarly;
}

void Lease::note_beat(const std::string& owner, bool alive) {
    if (owner == owner_) beaten_ = alive ? Clock::now() : Clock::time_point();
}

void Lease::want() {
    if (wanted_ || ended_) return;
    wanted_ = true;
    asio::co_spawn(io_, keep(), asio::detached);
}

Task<> Lease::keep() {
    std::chrono::milliseconds back_off = kFirstPause;
    while (!ended_) {
        HeartbeatJob<Held> beating{held_, Clock::now() - beaten_ < kBeat + kLate};
        const std::string now = co_await outgoing::off_thread(threads_, std::move(beating));
        timer_.expires_after(now.empty() ? back_off : kBeat);
        back_off = now.empty() ? std::min(back_off * 2, kLongestPause) : kFirstPause;
        // Logs each cause once: it is tried again twice a second.
        const std::string why = now.empty() ? held_->words : std::string();
        if (std::exchange(complained_, why) != why && !why.empty())
            log::write(log::Level::warning, "lease_not_held", {{"what", why}});
        if (std::exchange(owner_, now) != now) {
            beaten_ = {};
            if (!now.empty()) changed_();
        }
        boost::system::error_code cancelled;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

}  // namespace svc::run
