// Ends runs that the engine itself cannot continue: no step of them has failed.
#include <boost/asio/steady_timer.hpp>

#include "base/sql_state.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "run/engine/engine.hpp"

namespace svc::run {
namespace {

constexpr std::chrono::seconds kBuryPause{5};

constexpr std::string_view kBury =
    "select svc.fail_run($1::uuid, $2::bigint, $3::bigint, $4::text, 'ENGINE_ERROR')"
    " from set_config('svc.gives_up', $5::text, true)";
// What is given up so that the run can at least end, in this order: nothing; the conditions of the
// runs that start by its failure, which may take too long; these starts.
constexpr const char* kGivesUp[] = {"off", "on", "alone"};

}  // namespace

// True: the run has ended, or is another process's. Else the end could not be written, for example
// because the disk is full. The run then stays with this process, which tries it again after a
// pause: as running it would wait for ever, since others take only the runs of processes that died.
Task<bool> Engine::bury(const ClaimedRun& claimed, const std::string& why) {
    log::write(log::Level::error, "run_not_advanced", {{"run", claimed.run}, {"what", why}});
    db::Outcome outcome;
    for (const char* gives_up : kGivesUp) {
        const db::Param params[] = {claimed.run, claimed.owner, claimed.fence, why, gives_up};
        const db::Command command = identity::command("svc_run_fail", kBury, params);
        outcome = co_await in_.runs.run_slow({&command, 1});
        if (outcome.ok) {
            Counts::add(in_.counts.failed);
            co_return true;
        }
        if (base::sqlstate::is_passing(outcome.error().sqlstate)) break;
    }
    log::write(log::Level::error, "run_not_ended",
               {{"run", claimed.run},
                {"sqlstate", outcome.error().sqlstate},
                {"what", outcome.error().loggable()}});
    asio::steady_timer timer(in_.io, kBuryPause);
    ++outside_;  // a server that leaves does not wait for it
    co_await timer.async_wait(asio::use_awaitable);
    --outside_;
    co_return leaving_ || lease_.owner() != claimed.owner;
}

}  // namespace svc::run
