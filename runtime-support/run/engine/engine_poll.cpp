// Asks the database what is to be done.
#include <algorithm>
#include <utility>

#include "base/number.hpp"
#include "base/parts.hpp"
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

constexpr std::string_view kPoll =
    "select p.in_doubt, p.read::text, p.runs, p.fences, p.asked, p.run_due::text,"
    " p.time_due::text, p.alive from svc.poll($1::bigint, $2::boolean, $3::text, $4::int, $5::int,"
    " $6::int, $7::boolean, $8::boolean) p";
constexpr std::string_view kClaimed =
    "select c.run::text, c.fence::text from svc.claimed_by($1::bigint) c";

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

// `runs`, `fences`: lists with commas; none: null.
template <class ClaimedRun>
void add_taken(std::vector<ClaimedRun>& all, const std::optional<std::string>& runs,
               const std::optional<std::string>& fences) {
    if (!runs || !fences) return;
    const auto ids = base::split(*runs, ','), numbers = base::split(*fences, ',');
    for (std::size_t i = 0; i < std::min(ids.size(), numbers.size()); ++i)
        all.push_back({std::string(ids[i]), std::string(numbers[i]), {}});
}

std::string_view yes(bool so) { return so ? "t" : "f"; }

}  // namespace

// Reads what was committed, takes what is ready, and asks what is due next: one exchange.
Task<Engine::PollResult> Engine::poll() {
    OneRow polled(8);
    ClaimedRows<ClaimedRun> claimed;
    static const std::string kMost = std::to_string(kPage);
    const std::string owner = lease_.owner();
    const db::Param number = owner.empty() ? db::Param() : db::Param(owner);
    const std::size_t free = room();
    const std::string most = std::to_string(free), begins = in_line_ ? "0" : most;
    const auto began = Clock::now();
    const bool reaps = began - reaped_ >= (in_doubt_ ? kHurry : kReaps);
    const bool reads = reads_here(), asks = began - asked_due_ >= kDueKnown;
    const db::Param params[] = {
        number, yes(reaps), life_.machine, reads ? db::Param(kMost) : db::Param(),
        most,   begins,     yes(asks),     yes(lease_.beat_is_due())};
    std::vector<db::Command> all{identity::command("svc_runs_poll", kPoll, params, &polled)};
    if (number && may_have_claimed_)
        all.push_back(identity::command("svc_runs_claimed", kClaimed, {&number, 1}, &claimed));
    const db::Outcome outcome = co_await in_.system.run(all);
    if (reads) note_reading(outcome, began);
    const bool ok = outcome.ok && polled.cells.size() == 8;
    may_have_claimed_ = outcome.lost() || (may_have_claimed_ && !ok);
    if (!ok) {
        lease_.doubt();
        complain(outcome);
        co_return PollResult();
    }
    complained_.clear();
    PollResult out = read_poll(polled.cells);
    if (reaps) {
        reaped_ = Clock::now();
        in_doubt_ = !out.in_doubt.empty();
    }
    if (polled.cells[7]) lease_.note_beat(owner, *polled.cells[7] == "t");
    if (out.asked_due) asked_due_ = began;
    out.cut_short = out.read > 0 && Clock::now() - began >= kPollTime;
    add_taken(claimed.runs, polled.cells[2], polled.cells[3]);
    for (ClaimedRun& one : claimed.runs) one.owner = owner;
    std::erase_if(claimed.runs, [&](const ClaimedRun& one) { return !held_.insert(one).second; });
    out.claimed = claimed.runs.size();
    if (asks) in_line_ = out.claimed >= free;
    take_up(std::move(claimed.runs));
    co_return out;
}

// Logs each cause once: a server may be older or newer than its database for a while.
void Engine::complain(const db::Outcome& outcome) {
    if (std::exchange(complained_, outcome.error().message) != outcome.error().message)
        log::write(log::Level::warning, "runs_not_looked_at",
                   {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().loggable()}});
}

// Reads the row that kPoll gives.
Engine::PollResult Engine::read_poll(const Cells& cells) const {
    PollResult out;
    out.ok = true;
    out.in_doubt = cells[0].value_or("");
    out.read = base::number_of<std::uint64_t>(cells[1].value_or("0"));
    out.asked_due = cells[4] == "t";
    if (cells[5]) out.run_due = Seconds(base::number_of(*cells[5], 0.0));
    if (cells[6]) out.time_due = Seconds(base::number_of(*cells[6], 0.0));
    return out;
}

}  // namespace svc::run
