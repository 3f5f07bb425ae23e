#include "run/engine.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <charconv>

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr unsigned kAdvancing = 4;   // runs that the database works on at a time
constexpr std::size_t kHeld = 256;   // runs that this process has at a time
constexpr std::size_t kInLine = 16;  // of them, those that wait for the database
constexpr unsigned kPage = 500;      // changes and messages of a look
constexpr std::chrono::milliseconds kSecondPause{1000}, kNone{0};
// Between two looks, where those before found nothing: a writer whose rows start no runs is not
// followed at each commit.
constexpr std::chrono::milliseconds kUnhurried{20};
constexpr unsigned kInVain = 20;
constexpr auto kUnattended = 10s;
constexpr auto kGrace = 1s;

// A schedule that nobody has planned yet is due at once, which next_due() says as -infinity.
constexpr std::string_view kLook =
    "select svc.reap(), svc.start_runs($1::int),"
    " (select extract(epoch from case when d = '-infinity' then 'epoch' else d end -"
    " clock_timestamp()) from svc.next_due() d),"
    " extract(epoch from (select min(coalesce(s.next_at, clock_timestamp()))"
    " from svc.schedules() s) - clock_timestamp())";
constexpr std::string_view kClaim =
    "select c.run::text, c.fence::text from svc.claim_runs($1::bigint, $2::int) c";

template <class Number>
Number number_of(std::string_view text, Number otherwise) {
    std::from_chars(text.data(), text.data() + text.size(), otherwise);
    return otherwise;
}

// One row of texts; none: null.
class OneRow : public db::RowSink {
  public:
    explicit OneRow(int columns) : columns_(columns) {}
    void row(const Row& row) override {
        cells.clear();
        for (int i = 0; i < columns_; ++i)
            cells.push_back(row.null(i) ? std::nullopt : std::optional(std::string(row.text(i))));
    }
    std::vector<std::optional<std::string>> cells;

  private:
    int columns_;
};

template <class Claimed>
class ClaimedRows : public db::RowSink {
  public:
    void row(const Row& row) override {
        runs.push_back({std::string(row.text(0)), std::string(row.text(1))});
    }
    std::vector<Claimed> runs;
};

}  // namespace

Engine::Engine(Engaged in)
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

// How long the next round may wait.
Task<std::chrono::milliseconds> Engine::round() {
    const Look seen = co_await look();
    if (!seen.ok || leaving_) co_return kSecondPause;
    const bool missed = Clock::now() - std::exchange(looked_, Clock::now()) > kUnattended;
    if (seen.read > 0) in_.queued();
    bool ticked = false;
    if (seen.time_due && *seen.time_due <= Seconds(0)) ticked = co_await keep_times(missed);
    std::size_t claimed = 0;
    // What was just read may have started runs, of which the look itself knew nothing yet.
    const bool ready = seen.run_due && *seen.run_due <= Seconds(0);
    if (ready || ticked || seen.read > 0) claimed = co_await claim();
    const bool more = claimed > 0 || ticked || seen.read >= kPage;
    in_vain_ = more ? 0 : in_vain_ + 1;
    if (more) co_return kNone;
    Seconds rest = kSecondPause;
    for (const auto& due : {seen.run_due, seen.time_due})
        if (due && *due > Seconds(0)) rest = std::min(rest, *due);
    co_return std::chrono::ceil<std::chrono::milliseconds>(rest);
}

Task<Engine::Look> Engine::look() {
    OneRow found(4);
    static const std::string kMost = std::to_string(kPage);
    const db::Param params[] = {kMost};
    const db::Command command = identity::command("svc_runs_look", kLook, params, &found);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    Look out;
    out.ok = outcome.ok && found.cells.size() == 4;
    if (!out.ok) {
        // Once for each cause: a server may be older or newer than its database for a while.
        if (std::exchange(complained_, outcome.why().message) != outcome.why().message)
            log::write(log::Level::warning, "runs_not_looked_at",
                       {{"sqlstate", outcome.why().sqlstate}, {"what", outcome.why().message}});
        co_return out;
    }
    complained_.clear();
    out.returned = number_of<std::uint64_t>(found.cells[0].value_or("0"), 0);
    out.read = number_of<std::uint64_t>(found.cells[1].value_or("0"), 0);
    if (found.cells[2]) out.run_due = Seconds(number_of(*found.cells[2], 0.0));
    if (found.cells[3]) out.time_due = Seconds(number_of(*found.cells[3], 0.0));
    Counts::add(in_.counts.returned, out.returned);
    co_return out;
}

Task<std::size_t> Engine::claim() {
    lease_.want();
    const std::string owner = lease_.owner();
    const std::size_t line = turns_.waiting();
    if (owner.empty() || held_ >= kHeld || line >= kInLine) co_return 0;
    const std::string most = std::to_string(std::min(kHeld - held_, kInLine - line));
    const db::Param params[] = {owner, most};
    ClaimedRows<Claimed> rows;
    const db::Command command = identity::command("svc_runs_claim", kClaim, params, &rows);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return 0;
    held_ += rows.runs.size();
    Counts::add(in_.counts.taken, rows.runs.size());
    for (Claimed& claimed : rows.runs)
        asio::co_spawn(in_.io, drive(std::move(claimed), owner), asio::detached);
    co_return rows.runs.size();
}

Task<> Engine::leave() {
    leaving_ = true;
    timer_.cancel();
    lease_.end();
    const auto patience = Clock::now() + kGrace;
    asio::steady_timer timer(in_.io);
    while (held_ > 0 && (held_ > outside_ || Clock::now() < patience)) {
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
