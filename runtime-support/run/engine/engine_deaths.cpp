// Gives back the runs of processes that died. The database knows whose lock is gone. Whether a
// process of this machine lives, the kernel knows.
#include "base/number.hpp"
#include "base/parts.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

constexpr std::string_view kReap =
    "select svc.reap($1::text, string_to_array(nullif($2, ''), ',')::bigint[])";

// A process in doubt, as a poll lists it: its number, whether it seems dead to the database, and if
// it is of this machine its pid and ticks.
class Doubt {
  public:
    explicit Doubt(std::string_view text) : words_(base::split(text, ' ')) {}

    std::string number() const { return std::string(words_[0]); }
    bool seems_dead() const { return words_.size() > 1 && words_[1] == "t"; }
    bool was_seen_dead() const {
        return words_.size() == 4 && has_ended(base::number_of<pid_t>(words_[2]),
                                               base::number_of<std::uint64_t>(words_[3]));
    }

  private:
    std::vector<std::string_view> words_;
};

}  // namespace

// True: there are runs to be claimed again.
Task<bool> Engine::reap(const std::string& in_doubt) {
    std::vector<std::string> seen;
    bool any = false;
    for (const std::string_view text : base::split(in_doubt, ',')) {
        const Doubt doubt(text);
        if (doubt.was_seen_dead()) seen.push_back(doubt.number());
        any = any || doubt.seems_dead();
    }
    if (!any && seen.empty()) co_return false;
    const std::string dead = base::joined(seen, ",");
    const db::Param params[] = {life_.machine, dead};
    db::OneText returned;
    const db::Command command = identity::command("svc_runs_reap", kReap, params, &returned);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) complain(outcome);
    const auto runs = base::number_of<std::uint64_t>(returned.text.value_or("0"));
    Counts::add(in_.counts.returned, runs);
    co_return runs > 0;
}

}  // namespace svc::run
