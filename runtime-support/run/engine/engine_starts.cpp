// Reads changes whose conditions are slow, on a connection of its own: neither claims nor sign-ins
// wait for them. A page that takes longer than a statement may, or that fails otherwise, is tried
// one condition at a time.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "base/number.hpp"
#include "base/sql_state.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kSlow = 1s;
constexpr auto kApart = 30s;  // after the last slow one
constexpr auto kPause = 1s;   // after a failure

constexpr std::string_view kStart =
    "select svc.start_runs($1::int, $2::text, $3::boolean) from"
    " set_config('synchronous_commit', 'off', true) of_disk,"
    " set_config('lock_timeout', '3s', true) of_locks";
// Finding the first of very many changes may take longer than the usual time limit of a statement.
constexpr std::string_view kPatience = "select set_config('statement_timeout', '1h', true)";
constexpr std::string_view kPlaces = "select n.reads, n.waits from svc.next_starts() n";

class Places : public db::RowSink {
  public:
    void row(const Row& row) override {
        for (int i = 0; i < 2; ++i)
            if (!row.null(i)) all.emplace_back(row.text(i));
    }
    std::vector<std::string> all;
};

// Would it fail for ever? Its time was over, or one of its starts is at fault.
bool failed_for_good(const db::Outcome& outcome) {
    const std::string& state = outcome.error().sqlstate;
    return !state.empty() && !base::sqlstate::is_passing(state);
}

void note_start(log::Level level, std::string_view what, const std::string& at,
                const db::SqlError& error) {
    log::write(level, what, {{"at", at}, {"sqlstate", error.sqlstate}, {"what", error.loggable()}});
}

}  // namespace

// True if a poll reads changes itself. Otherwise they are read on a separate connection.
bool Engine::reads_here() {
    if (Clock::now() >= apart_until_ && !reading_apart_) return true;
    if (!std::exchange(reading_apart_, true)) asio::co_spawn(in_.io, read_apart(), asio::detached);
    return false;
}

// After a poll that has read them.
void Engine::note_reading(const db::Outcome& outcome, Clock::time_point began) {
    // Where it was no start that failed, this has them read apart for nothing, for half a minute.
    const bool for_good = outcome.failed == 0 && failed_for_good(outcome);
    if (for_good) to_try_ = kPage;
    // A condition waited in vain for a lock: it is asked again, and claims do not wait for that.
    const bool busy =
        !outcome.ok && outcome.failed == 0 && base::sqlstate::is_busy(outcome.error().sqlstate);
    if (for_good || busy || (outcome.ok && Clock::now() - began >= kSlow))
        apart_until_ = Clock::now() + kApart;
}

Task<> Engine::read_apart() {
    asio::steady_timer timer(in_.io);
    while (!leaving_) {
        const bool tries = to_try_ > 0;
        Started now;
        if (tries)
            now = co_await try_places();
        else
            now = co_await start_apart({}, false);
        if (now.slow || now.failed_for_good) apart_until_ = Clock::now() + kApart;
        if (tries) to_try_ = now.slow || now.read == 0 ? 0 : to_try_ - 1;
        if (now.failed_for_good) to_try_ = kPage;
        if (now.read > 0) {
            in_.queued();
            wake();
        } else if (now.ok && !tries) {
            break;
        }
        if (now.ok || now.failed_for_good) continue;
        timer.expires_after(kPause);
        co_await timer.async_wait(asio::use_awaitable);
    }
    reading_apart_ = false;
}

Task<Engine::Started> Engine::start_apart(const std::optional<std::string>& at, bool gives_up) {
    const auto began = Clock::now();
    const std::string most = std::to_string(kPage);
    const db::Param params[] = {most, at, gives_up ? "t" : "f"};
    db::OneText read;
    const db::Command command = identity::command("svc_runs_start_apart", kStart, params, &read);
    const db::Outcome outcome = co_await in_.runs.run_slow({&command, 1});
    Started out;
    out.ok = outcome.ok;
    out.failed_for_good = failed_for_good(outcome);
    if (out.failed_for_good) out.error = outcome.error();
    out.slow = Clock::now() - began >= kSlow;
    out.read = base::number_of(read.text.value_or("0"), out.read);
    co_return out;
}

// A condition that takes too long twice is given up, so that the changes after it are handled. So
// is a start that fails otherwise.
Task<Engine::Started> Engine::try_place(const std::string& at) {
    const Started tried = co_await start_apart(at, false);
    if (!tried.failed_for_good) co_return tried;
    const bool is_new = std::exchange(given_up_, at) != at;
    if (is_new) note_start(log::Level::warning, "start_given_up", at, tried.error);
    Started out = co_await start_apart(at, true);
    if (is_new && out.failed_for_good)
        note_start(log::Level::error, "starts_stopped", at, out.error);
    out.slow = true;
    co_return out;
}

// One condition of the changes and messages, and one of the runs that wait for messages.
Task<Engine::Started> Engine::try_places() {
    const auto began = Clock::now();
    Places places;
    const db::Command commands[] = {identity::command("svc_runs_patience", kPatience, {}),
                                    identity::command("svc_runs_places", kPlaces, {}, &places)};
    const db::Outcome outcome = co_await in_.runs.run_slow(commands);
    Started out;
    out.ok = outcome.ok;
    out.slow = Clock::now() - began >= kSlow;
    for (const std::string& at : places.all) {
        const Started one = co_await try_place(at);
        out.ok = out.ok && one.ok;
        out.slow = out.slow || one.slow;
        out.read += one.read;
    }
    co_return out;
}

}  // namespace svc::run
