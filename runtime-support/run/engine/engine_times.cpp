// Starts the runs whose times have come. Whichever server asks first starts a time's run; the
// database says whether it has come.
#include <utility>

#include "base/sql_state.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"
#include "run/engine/schedule.hpp"

namespace svc::run {
namespace {

constexpr std::string_view kDueTimes =
    "select s.workflow, s.spec::text, (extract(epoch from s.since) * 1000000)::bigint,"
    " (extract(epoch from s.after) * 1000000)::bigint, s.next_at is null,"
    " (extract(epoch from clock_timestamp()) * 1000000)::bigint from svc.schedules() s"
    " where s.next_at is null or s.next_at <= clock_timestamp()";
constexpr std::string_view kTick =
    "select svc.tick_schedule($1::text, timestamptz 'epoch' + $2::bigint * interval '1 "
    "microsecond', timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::boolean, "
    "$5::boolean, $6::jsonb) from set_config('lock_timeout', '3s', true)";

struct DueTime {
    std::string workflow, spec;
    Instant since = 0, after = 0, now = 0;
    bool unplanned = false;
};

class DueTimes : public db::RowSink {
  public:
    void row(const Row& row) override {
        const auto instant = [&row](int column) {
            return static_cast<Instant>(std::stoll(std::string(row.text(column))));
        };
        DueTime out;
        out.workflow = row.text(0);
        out.spec = row.text(1);
        out.since = instant(2);
        out.after = instant(3);
        out.unplanned = row.text(4) == "t";
        out.now = instant(5);
        times.push_back(std::move(out));
    }
    std::vector<DueTime> times;
};

std::optional<std::string> text_of(const std::optional<Instant>& instant) {
    return instant ? std::optional(std::to_string(*instant)) : std::nullopt;
}

struct Planned {
    const std::string &workflow, &spec;
    std::optional<Instant> at, next;
};

// How a time is taken, as svc.tick_schedule says.
enum class Taken : std::uint8_t { asks, gives_up, passes };

Task<db::Outcome> ask_to_tick(db::Pool& runs, const Planned& time, Taken how,
                              db::OneFlag& started) {
    const auto at = text_of(time.at), next = text_of(time.next);
    const db::Param params[] = {time.workflow,
                                at,
                                next,
                                how == Taken::gives_up ? "t" : "f",
                                how == Taken::passes ? "t" : "f",
                                time.spec};
    const db::Command command = identity::command("svc_runs_tick", kTick, params, &started);
    co_return co_await runs.run_slow({&command, 1});
}

// Did it start a run? If not, another server did, the time has not come, or its statement is wrong.
// Empty: there was no answer, another writer undid it, or the database had no memory or disk for
// it, and there may be a start later. What would fail for ever is not asked for again: a condition
// that takes longer than a statement may is given up, and a time whose start fails otherwise
// passes.
Task<std::optional<bool>> tick(db::Pool& runs, const Planned& time) {
    db::OneFlag started;
    db::Outcome outcome = co_await ask_to_tick(runs, time, Taken::asks, started);
    if (!outcome.ok && outcome.error().sqlstate == base::sqlstate::kCanceled)
        outcome = co_await ask_to_tick(runs, time, Taken::gives_up, started);
    if (outcome.ok) co_return started.set;
    log::write(log::Level::warning, "schedule_not_kept",
               {{"workflow", time.workflow},
                {"sqlstate", outcome.error().sqlstate},
                {"what", outcome.error().loggable()}});
    if (base::sqlstate::is_passing(outcome.error().sqlstate)) co_return std::nullopt;
    co_await ask_to_tick(runs, time, Taken::passes, started);
    co_return false;
}

}  // namespace

// Starts a schedule's runs in the order of their times. A time that got no answer ends it: a later
// one would pass it over for ever.
Task<bool> Engine::keep(const std::string& workflow, const std::string& spec, const Due& times) {
    if (times.ticks.empty())
        co_return (co_await tick(in_.runs, {workflow, spec, {}, times.next})).has_value();
    for (const Tick& each : times.ticks) {
        const auto started = co_await tick(in_.runs, {workflow, spec, each.planned, each.next});
        if (!started) co_return false;
        if (!*started) continue;
        Counts::add(in_.counts.times);
        wake();
    }
    co_return true;
}

// Beside the polls: a condition may be slow. Whether times were missed counts until all were kept.
Task<> Engine::keep_times() {
    DueTimes rows;
    const bool missed = std::exchange(missed_, false);  // what is missed meanwhile counts later
    const db::Command command = identity::command("svc_runs_times", kDueTimes, {}, &rows);
    bool kept = (co_await in_.system.run({&command, 1})).ok;
    for (const DueTime& time : rows.times) {
        const auto schedule = Schedule::read(time.spec, time.since);
        if (!schedule) {
            log::write(log::Level::error, "schedule_unreadable", {{"workflow", time.workflow}});
            continue;
        }
        const Due times = due(*schedule, time.after, time.now, missed);
        kept = co_await keep(time.workflow, time.spec, times) && kept;
    }
    missed_ = missed_ || (missed && !kept);
    keeps_times_ = false;
}

}  // namespace svc::run
