// Runs that were claimed together are advanced in one transaction, so they wait for the disk once.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "base/number.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

constexpr unsigned kWeight = 32;

constexpr std::string_view kAdvanceAll =
    "select a.run::text, a.hash, a.ms::text, a.answer ->> 'state', a.answer ->> 'path',"
    " a.answer ->> 'status', a.answer::text, a.answer ->> 'bound'"
    " from svc.advance_all($1::bigint, string_to_array($2, ',')::uuid[],"
    " string_to_array($3, ',')::bigint[], string_to_array($4, ',')) a";

class Answers : public db::RowSink {
  public:
    explicit Answers(Pace& pace) : pace_(pace) {}
    void row(const Row& row) override {
        AdvanceResult& answer = of[std::string(row.text(0))];
        answer.hash = row.text(1);
        if (row.null(3)) return;
        pace_.took(answer.hash, base::number_of<double>(row.text(2)), Pace::Clock::now());
        answer.state = base::read_word<RunState>(row.text(3));
        answer.path = row.text(4);
        answer.status = base::read_word<RunStatus>(row.text(5));
        answer.text = row.text(6);
        if (!row.null(7)) answer.bound = row.text(7);
    }
    std::map<std::string, AdvanceResult> of;

  private:
    Pace& pace_;
};

void add(std::string& list, const std::string& one) {
    if (!list.empty()) list += ',';
    list += one;
}

}  // namespace

// Advances runs together. Runs that were not advanced here go on alone.
Task<> Engine::drive_together(std::vector<ClaimedRun> runs) {
    co_await turns_.enter(false);
    std::map<std::string, AdvanceResult> answers = co_await advance_together(runs);
    turns_.leave(false);
    const auto advanced = [](const auto& one) { return one.second.state.has_value(); };
    if (std::ranges::any_of(answers, advanced)) in_.wrote();
    for (ClaimedRun& one : runs) {
        AdvanceResult answer = std::move(answers[one.run]);
        if (!answer.state || answer.goes_on()) {
            asio::co_spawn(in_.io, drive(std::move(one), std::move(answer)), asio::detached);
            continue;
        }
        goes_on(answer);
        held_.erase(one);
    }
    wake();
}

// Empty where the transaction was undone: one of them could not be advanced with the others.
Task<std::map<std::string, AdvanceResult>> Engine::advance_together(
    const std::vector<ClaimedRun>& runs) {
    std::string which, fences, slow;
    for (const ClaimedRun& one : runs) {
        add(which, one.run);
        add(fences, one.fence);
    }
    for (const std::string& hash : pace_.slow(Pace::Clock::now())) add(slow, hash);
    const db::Param params[] = {runs.front().owner, which, fences, slow};
    Answers answers(pace_);
    db::Command command = identity::command("svc_runs_advance", kAdvanceAll, params, &answers);
    command.weight = kWeight;
    const db::Outcome outcome = co_await in_.runs.run_slow({&command, 1});
    if (!outcome.ok) {
        log::write(log::Level::info, "runs_advanced_alone",
                   {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().message}});
        answers.of.clear();
    }
    co_return std::move(answers.of);
}

}  // namespace svc::run
