#include "run/engine/engine.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

#include "identity/command.hpp"

namespace svc::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr unsigned kAdvancing = 4;      // transactions of runs at a time
constexpr std::size_t kHeld = 256;      // runs that this process works on at a time
constexpr std::size_t kOutside = 1000;  // and that wait for others: one that hangs stops no others
// Slow ones that wait for other slow ones. More stay in the queue, where others may take them, and
// where their time does not count yet.
constexpr std::size_t kAside = 24;
constexpr std::size_t kInLine = 4;     // transactions of them that wait for the database
constexpr std::size_t kTogether = 12;  // runs in one transaction
constexpr std::chrono::milliseconds kSecondPause{1000}, kNone{0};
// The pause between two polls if the polls before found nothing: not each commit of a writer whose
// rows start no runs needs a poll.
constexpr std::chrono::milliseconds kUnhurried{20};
constexpr unsigned kInVain = 20;
constexpr auto kUnattended = 10s;
constexpr auto kGrace = 1s;

}  // namespace

Engine::Engine(EngineContext in)
    : in_(std::move(in)),
      lease_(in_.io, in_.url, [this] { wake(); }),
      turns_(in_.io, kAdvancing),
      timer_(in_.io) {}

void Engine::start() { asio::co_spawn(in_.io, run(), asio::detached); }

void Engine::wake() {
    rung_ = true;
    timer_.cancel();
}

Task<> Engine::pause(std::chrono::milliseconds most) {
    if (rung_) most = std::min(most, in_vain_ < kInVain ? kNone : kUnhurried);
    timer_.expires_after(most);
    boost::system::error_code cancelled;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

Task<> Engine::run() {
    while (!leaving_) {
        rung_ = false;
        const std::chrono::milliseconds rest = co_await round();
        co_await pause(rest);
    }
}

// Returns how long the next round may wait.
Task<std::chrono::milliseconds> Engine::round() {
    const PollResult seen = co_await poll();
    if (!seen.ok || leaving_) co_return kSecondPause;
    if (Clock::now() - std::exchange(polled_, Clock::now()) > kUnattended) missed_ = true;
    if (seen.read > 0) in_.queued();
    const bool due = seen.time_due && *seen.time_due <= Seconds(0);
    if (due && !std::exchange(keeps_times_, true))
        asio::co_spawn(in_.io, keep_times(), asio::detached);
    if (seen.asked_due && !due && !keeps_times_) missed_ = false;
    if (seen.run_due && *seen.run_due <= Seconds(0)) lease_.want();
    const bool returned = !seen.in_doubt.empty() && co_await reap(seen.in_doubt);
    const bool more =
        seen.claimed > 0 || !seen.asked_due || seen.read >= kPage || seen.cut_short || returned;
    in_vain_ = more ? 0 : in_vain_ + 1;
    if (more) co_return kNone;
    Seconds rest = in_doubt_ ? kHurry : kSecondPause;
    for (const auto& due : {seen.run_due, seen.time_due})
        if (due && *due > Seconds(0)) rest = std::min(rest, *due);
    co_return std::chrono::ceil<std::chrono::milliseconds>(rest);
}

// The number of further runs that this process takes.
std::size_t Engine::room() const {
    const std::size_t line = turns_.waiting(), busy = held_.size() - outside_;
    if (leaving_ || busy >= kHeld || outside_ >= kOutside || line >= kInLine ||
        turns_.set_aside() >= kAside)
        return 0;
    return std::min(kHeld - busy, kTogether * (kInLine - line));
}

// Several go on in one transaction. What is alone needs no such care, unless it may be slow: the
// transaction says whether it is.
void Engine::take_up(std::vector<ClaimedRun> runs) {
    Counts::add(in_.counts.taken, runs.size());
    for (const ClaimedRun& one : runs)
        if (one.fence == "1") Counts::add(in_.counts.started);
    for (std::size_t from = 0; from < runs.size(); from += kTogether) {
        const auto first = runs.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(kTogether, runs.size() - from);
        std::vector<ClaimedRun> part(first, first + static_cast<std::ptrdiff_t>(count));
        if (count == 1 && pace_.slow(Clock::now()).empty())
            asio::co_spawn(in_.io, drive(std::move(part[0]), {}), asio::detached);
        else
            asio::co_spawn(in_.io, drive_together(std::move(part)), asio::detached);
    }
}

Task<> Engine::leave() {
    leaving_ = true;
    timer_.cancel();
    lease_.end();
    const auto patience = Clock::now() + kGrace;
    asio::steady_timer timer(in_.io);
    while (!held_.empty() && (held_.size() > outside_ || Clock::now() < patience)) {
        timer.expires_after(5ms);
        co_await timer.async_wait(asio::use_awaitable);
    }
    const std::string owner = lease_.owner();
    if (owner.empty()) co_return;
    const db::Param params[] = {owner};
    const db::Command command =
        identity::command("svc_runs_leave", "select svc.leave($1::bigint)", params);
    co_await in_.system.run({&command, 1});
}

}  // namespace svc::run
