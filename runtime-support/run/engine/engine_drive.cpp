// Drives a run after it was claimed.
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <span>

#include "base/sql_state.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kTries = 5;
constexpr unsigned kAdvanceWeight = 8;

constexpr std::string_view kAdvance =
    "select a ->> 'state', a ->> 'path', a ->> 'status', a::text, a ->> 'bound',"
    " case when clock_timestamp() > statement_timestamp() + interval '1 second'"
    " then svc.definition_of($1::uuid) end"
    " from svc.advance($1::uuid, $2::bigint, $3::bigint, $4::jsonb) a";
// The time that the next statement may take, in seconds; more than 23 days PostgreSQL cannot count.
constexpr std::string_view kBound =
    "select set_config('svc.bound', $1::text, true),"
    " set_config('statement_timeout', least($1::bigint, 2000000) || 's', true)";

class AnswerRow : public db::RowSink {
  public:
    explicit AnswerRow(AdvanceResult& answer) : answer_(answer) {}
    void row(const Row& row) override {
        answer_.state = base::read_word<RunState>(row.text(0));
        answer_.path = row.text(1);
        answer_.status = base::read_word<RunStatus>(row.text(2));
        answer_.text = row.text(3);
        if (!row.null(4)) answer_.bound = row.text(4);
        if (!row.null(5)) answer_.hash = row.text(5);
    }

  private:
    AdvanceResult& answer_;
};

}  // namespace

// `first`: its first answer, where it was advanced with others.
Task<> Engine::drive(ClaimedRun claimed, AdvanceResult first) {
    AdvanceInput given;
    std::string hash = first.hash;
    bool goes_on = true;
    if (first.state) goes_on = co_await follow(claimed, first, given);
    while (goes_on) {
        const bool slow = !given.bound.empty() || pace_.is_slow(hash, Pace::Clock::now());
        co_await turns_.enter(slow);
        // The next process has it, and this one waits for no slow statement that has not begun.
        AdvanceResult answer;
        if (!slow || !leaving_) answer = co_await advance(claimed, given);
        turns_.leave(slow);
        if (!answer.hash.empty()) pace_.was_late(hash = answer.hash, Pace::Clock::now());
        if (answer.state) in_.wrote();
        goes_on = co_await follow(claimed, answer, given);
    }
    held_.erase(claimed);
    wake();
}

// Does what the answer of an advance asks for. Returns false if the run has ended, waits, or
// belongs to another process. A run that can neither continue nor end repeats its last advance with
// the same input.
Task<bool> Engine::follow(const ClaimedRun& claimed, const AdvanceResult& answer,
                          AdvanceInput& given) {
    if (!answer.problem.empty()) {
        const bool gone = co_await bury(claimed, answer.problem);
        co_return !gone;
    }
    given = {std::nullopt, answer.bound};
    if (!goes_on(answer)) co_return false;
    if (answer.state == RunState::again) co_return true;
    Counts::add(in_.counts.attempts);
    const json::Parsed parsed = json::parse(answer.text);
    ServiceResult service_result;
    if (parsed.error.empty()) {
        ++outside_;
        service_result = co_await perform(in_.services, read_call(parsed.value));
        --outside_;
    } else {
        service_result = failed(StepCode::request_refused,
                                "The request of the step cannot be read: " + parsed.error);
    }
    given.result = result_of(answer.path, service_result);
    co_return !leaving_ || !lease_.owner().empty();
}

// Counts what has ended.
bool Engine::goes_on(const AdvanceResult& answer) {
    if (answer.state == RunState::ended) count_end(answer.status);
    if (answer.state == RunState::lost) Counts::add(in_.counts.lost);
    return !leaving_ && answer.goes_on();
}

// Tries again what another try may do. Without a state and a problem: it is left as it is, for
// whoever claims it when this process's number has gone.
Task<AdvanceResult> Engine::advance(const ClaimedRun& claimed, const AdvanceInput& given) {
    const db::Param params[] = {claimed.run, claimed.owner, claimed.fence,
                                given.result ? db::Param(*given.result) : std::nullopt};
    const db::Param bounds[] = {given.bound};
    asio::steady_timer timer(in_.io);
    for (unsigned failed = 0;;) {
        AdvanceResult answer;
        AnswerRow row(answer);
        std::array commands = {identity::command("svc_run_bound", kBound, bounds),
                               identity::command("svc_run_advance", kAdvance, params, &row)};
        commands[1].weight = kAdvanceWeight;
        const auto all = std::span(commands).subspan(given.bound.empty() ? 1 : 0);
        const db::Outcome outcome = co_await in_.runs.run_slow(all);
        if (outcome.ok) co_return answer;
        answer = {};
        if (lease_.owner() != claimed.owner || (leaving_ && outcome.lost())) co_return answer;
        // Whoever lost against another writer begins again.
        const std::string_view state = outcome.error().sqlstate;
        const bool busy = base::sqlstate::is_busy(state);
        if (!outcome.lost() && !busy && ++failed == kTries) {
            answer.problem = outcome.error().message;
            if (answer.problem.empty())  // an exception needs no words
                answer.problem = "PostgreSQL answered " + outcome.error().sqlstate + ".";
            co_return answer;
        }
        const bool unwell = !busy && base::sqlstate::is_passing(state);
        timer.expires_after(unwell ? 500ms : 20ms * (failed + 1));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

void Engine::count_end(std::optional<RunStatus> status) {
    Counts::add(status == RunStatus::succeeded ? in_.counts.succeeded : in_.counts.failed);
}

}  // namespace svc::run
