// Asks the database what is to be done.
#include <utility>

#include "base/number.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPollTime = 200ms;  // less than what a poll has for starts (svc.start_runs)
constexpr auto kDueKnown = 50ms;   // as long a poll that takes runs does not ask what is due next
constexpr auto kReaps = 900ms;     // between two searches for dead processes

// Writes that are lost when PostgreSQL crashes are found again, so it waits for no disk. Nor does
// it wait long for a lock that a condition needs: that would look like a condition that is slow.
constexpr std::string_view kRead =
    "select set_config('synchronous_commit', 'off', true) || set_config('lock_timeout', '3s', "
    "true),"
    " case when $2::boolean then (select string_agg(concat_ws(' ', d.incarnation, d.dead, d.pid,"
    " d.ticks), ',') from svc.lives_in_doubt($4::text) d) end,"
    " case when $3::boolean then svc.start_runs($1::int) end";
constexpr std::string_view kClaim =
    "select c.run::text, c.fence::text from svc.claim_runs($1::bigint, $2::int) c";
constexpr std::string_view kClaimed =
    "select c.run::text, c.fence::text from svc.claimed_by($1::bigint) c";
// A schedule that nobody has planned yet is due at once, which next_due() says as -infinity.
// Sends the heartbeat of this process too, if one is given. A poll that took runs is followed by
// another one at once, and its answer would come later for nothing: so it asks only if it must.
constexpr std::string_view kDue =
    "select case when q.asks then (select extract(epoch from case when d = '-infinity'"
    " then 'epoch' else d end - clock_timestamp()) from svc.next_due() d) end,"
    " case when q.asks then extract(epoch from (select min(coalesce(s.next_at, clock_timestamp()))"
    " from svc.schedules() s) - clock_timestamp()) end,"
    " case when $1::bigint is not null then svc.beat($1::bigint) end, q.asks"
    " from (select $2::boolean or coalesce(current_setting('svc.claimed', true), '') = '') q(asks)";

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

template <class ClaimedRun>
class ClaimedRows : public db::RowSink {
  public:
    void row(const Row& row) override {
        runs.push_back({std::string(row.text(0)), std::string(row.text(1)), {}});
    }
    std::vector<ClaimedRun> runs;
};

}  // namespace

// Reads what was committed, takes what is ready, and asks what is due next: one exchange.
Task<Engine::PollResult> Engine::poll() {
    OneRow read(3), due(4);
    ClaimedRows<ClaimedRun> claimed;
    const std::string owner = lease_.owner();
    const std::string most = std::to_string(room());
    static const std::string kMost = std::to_string(kPage);
    const auto began = Clock::now();
    const bool reaps = began - reaped_ >= (in_doubt_ ? kHurry : kReaps);
    const bool reads = reads_here(), beats = lease_.beat_is_due();
    const db::Param page[] = {kMost, reaps ? "t" : "f", reads ? "t" : "f", life_.machine};
    const db::Param claim[] = {owner, most}, of_owner[] = {owner};
    const db::Param next[] = {beats ? db::Param(owner) : std::nullopt,
                              began - asked_due_ >= kDueKnown ? "t" : "f"};
    std::vector<db::Command> all{identity::command("svc_runs_start", kRead, page, &read)};
    if (!owner.empty() && most != "0")
        all.push_back(identity::command("svc_runs_claim", kClaim, claim, &claimed));
    if (!owner.empty() && may_have_claimed_)
        all.push_back(identity::command("svc_runs_claimed", kClaimed, of_owner, &claimed));
    all.push_back(identity::command("svc_runs_due", kDue, next, &due));
    const db::Outcome outcome = co_await in_.system.run(all);
    if (reads) note_reading(outcome, began);
    const bool ok = outcome.ok && read.cells.size() == 3 && due.cells.size() == 4;
    may_have_claimed_ = outcome.lost() || (may_have_claimed_ && !ok);
    if (!ok) {
        lease_.doubt();
        complain(outcome);
        co_return PollResult();
    }
    complained_.clear();
    if (reaps) {
        reaped_ = Clock::now();
        in_doubt_ = read.cells[1].has_value();
    }
    if (due.cells[2]) lease_.note_beat(owner, *due.cells[2] == "t");
    PollResult out = read_poll(read.cells, due.cells);
    if (out.asked_due) asked_due_ = began;
    out.cut_short = out.read > 0 && Clock::now() - began >= kPollTime;
    for (ClaimedRun& one : claimed.runs) one.owner = owner;
    std::erase_if(claimed.runs, [&](const ClaimedRun& one) { return !held_.insert(one).second; });
    out.claimed = claimed.runs.size();
    take_up(std::move(claimed.runs));
    co_return out;
}

// Logs each cause once: a server may be older or newer than its database for a while.
void Engine::complain(const db::Outcome& outcome) {
    if (std::exchange(complained_, outcome.error().message) != outcome.error().message)
        log::write(log::Level::warning, "runs_not_looked_at",
                   {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().loggable()}});
}

// Reads the rows that kRead and kDue give.
Engine::PollResult Engine::read_poll(const Cells& read, const Cells& due) const {
    PollResult out;
    out.ok = true;
    out.read = base::number_of<std::uint64_t>(read[2].value_or("0"));
    out.asked_due = due[3] == "t";
    if (due[0]) out.run_due = Seconds(base::number_of(*due[0], 0.0));
    if (due[1]) out.time_due = Seconds(base::number_of(*due[1], 0.0));
    out.in_doubt = read[1].value_or("");
    return out;
}

}  // namespace svc::run
