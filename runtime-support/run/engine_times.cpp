// Starts the runs whose times have come. Whichever server asks first starts a time's run; the
// database says whether it has come.
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine.hpp"
#include "run/schedule.hpp"

namespace svc::run {
namespace {

constexpr std::string_view kDueTimes =
    "select s.workflow, s.spec::text, (extract(epoch from s.since) * 1000000)::bigint,"
    " (extract(epoch from s.after) * 1000000)::bigint, s.next_at is null,"
    " (extract(epoch from clock_timestamp()) * 1000000)::bigint from svc.schedules() s"
    " where s.next_at is null or s.next_at <= clock_timestamp()";
constexpr std::string_view kTick =
    "select svc.tick_schedule($1::text, timestamptz 'epoch' + $2::bigint * interval '1 "
    "microsecond', timestamptz 'epoch' + $3::bigint * interval '1 microsecond')";

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

// False: somebody else did, or it has not come, or there was no answer.
Task<bool> tick(db::Pool& system, const std::string& workflow, std::optional<Instant> planned,
                std::optional<Instant> next) {
    const auto planned_text = text_of(planned), next_text = text_of(next);
    const db::Param params[] = {workflow, planned_text, next_text};
    db::OneFlag started;
    const db::Command command = identity::command("svc_runs_tick", kTick, params, &started);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok)
        log::write(log::Level::warning, "schedule_not_kept",
                   {{"workflow", workflow},
                    {"sqlstate", outcome.why().sqlstate},
                    {"what", outcome.why().message}});
    co_return outcome.ok&& started.set;
}

}  // namespace

// True: runs were started.
Task<bool> Engine::keep_times(bool missed) {
    DueTimes rows;
    const db::Command command = identity::command("svc_runs_times", kDueTimes, {}, &rows);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    bool any = false;
    for (const DueTime& time : rows.times) {
        const auto schedule = Schedule::read(time.spec, time.since);
        if (!schedule) {
            log::write(log::Level::error, "schedule_unreadable", {{"workflow", time.workflow}});
            continue;
        }
        const Due times = due(*schedule, time.after, time.now, missed);
        if (times.ticks.empty()) co_await tick(in_.system, time.workflow, {}, times.next);
        for (const Tick& each : times.ticks) {
            const bool started = co_await tick(in_.system, time.workflow, each.planned, each.next);
            any = any || started;
            if (started) Counts::add(in_.counts.times);
        }
    }
    co_return outcome.ok&& any;
}

}  // namespace svc::run
