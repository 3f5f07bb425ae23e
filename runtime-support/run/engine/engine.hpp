// Works on the runs of an app: starts them after commits and at their times, claims those that are
// ready, and makes the calls that their steps ask for. One for each process; any number of
// processes may work on the same database. The steps themselves are the database's (svc.advance).
//
// It polls at once when this process has committed something, when a run's time has come, and each
// second. While nothing is to be done that is one statement a second. If conditions of workflows
// are slow, changes are read on a separate connection, so no other exchange waits for them.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "db/pool.hpp"
#include "run/counts.hpp"
#include "run/engine/advanced.hpp"
#include "run/engine/lease.hpp"
#include "run/engine/pace.hpp"
#include "run/engine/process_life.hpp"
#include "run/engine/schedule.hpp"
#include "run/engine/turns.hpp"
#include "run/service.hpp"

namespace svc::run {

// The parts that the engine uses; outlives it.
struct EngineContext {
    asio::io_context& io;
    std::string url;  // of the system role: for the lease's own connection
    db::Pool& system;
    db::Pool& runs;  // of the same role, for work that may wait for locks
    const Services& services;
    Counts& counts;
    std::function<void()> wrote;   // a run has committed something
    std::function<void()> queued;  // deliveries of webhooks may have been queued
};

class Engine {
  public:
    explicit Engine(EngineContext in);

    void start();
    // Something was committed; on the thread of `io`.
    void wake();
    // Takes no more runs and gives back those that it has. Waits at most a second for calls to
    // other services: the next process repeats these calls with the same key.
    Task<> leave();

  private:
    static constexpr unsigned kPage = 500;  // changes and messages of a poll
    // The pause between two polls while some process may have died: it is known soon.
    static constexpr std::chrono::milliseconds kHurry{100};
    using Seconds = std::chrono::duration<double>;
    // The result of a poll.
    struct PollResult {
        bool ok = false;
        std::uint64_t read = 0;                    // changes and messages
        bool cut_short = false;                    // its time was over before there was no more
        std::size_t claimed = 0;                   // runs
        bool asked_due = false;                    // whether it says what is due next
        std::optional<Seconds> run_due, time_due;  // from now; none: nothing waits
        std::string in_doubt;                      // processes that may have died
    };
    // With the number that this process had at the claim: a crash of PostgreSQL may undo a claim,
    // and the next one of the run then has the same fence, but another owner.
    struct ClaimedRun {
        std::string run, fence, owner;
        bool operator<(const ClaimedRun& other) const {
            return std::tie(run, fence, owner) < std::tie(other.run, other.fence, other.owner);
        }
    };
    // The input of the next advance of a run.
    struct AdvanceInput {
        std::optional<std::string> result;  // of what it asked of the outside
        std::string bound = {};             // seconds that it may take; empty: any time
    };

    // The result of reading a page, or of trying one place.
    struct Started {
        bool ok = false, failed_for_good = false, slow = false;
        std::uint64_t read = 0;
        db::SqlError error = {};  // of what failed for good
    };

    Task<> run();
    Task<std::chrono::milliseconds> round();
    Task<PollResult> poll();
    void complain(const db::Outcome& outcome);
    using Cells = std::vector<std::optional<std::string>>;  // of one row; none: null
    PollResult read_poll(const Cells& cells) const;
    bool reads_here();
    void note_reading(const db::Outcome& outcome, std::chrono::steady_clock::time_point began);
    Task<> read_apart();
    Task<Started> start_apart(const std::optional<std::string>& at, bool gives_up);
    Task<Started> try_place(const std::string& at);
    Task<Started> try_places();
    Task<bool> reap(const std::string& in_doubt);
    std::size_t room() const;
    void take_up(std::vector<ClaimedRun> runs);
    Task<> pause(std::chrono::milliseconds most);

    Task<> keep_times();
    // Returns false if something is left.
    Task<bool> keep(const std::string& workflow, const std::string& spec, const Due& times);

    Task<> drive(ClaimedRun claimed, AdvanceResult first);
    Task<> drive_together(std::vector<ClaimedRun> runs);
    Task<std::map<std::string, AdvanceResult>> advance_together(
        const std::vector<ClaimedRun>& runs);
    // Returns false if the run does not continue here.
    Task<bool> follow(const ClaimedRun& claimed, const AdvanceResult& answer, AdvanceInput& given);
    bool goes_on(const AdvanceResult& answer);
    Task<AdvanceResult> advance(const ClaimedRun& claimed, const AdvanceInput& given);
    // Returns true if the run has ended or belongs to another process.
    Task<bool> bury(const ClaimedRun& claimed, const std::string& why);
    void count_end(std::optional<RunStatus> status);

    const EngineContext in_;
    const ProcessLife life_ = own_life();
    Lease lease_;
    Turns turns_;
    Pace pace_;
    asio::steady_timer timer_;
    std::chrono::steady_clock::time_point polled_;     // the last poll that gave an answer
    std::chrono::steady_clock::time_point asked_due_;  // the last poll that asked what is due
    std::chrono::steady_clock::time_point reaped_;
    bool in_doubt_ = false;  // some process may have died, as it looked then
    std::chrono::steady_clock::time_point apart_until_;  // changes are read by read_apart()
    bool reading_apart_ = false, keeps_times_ = false;
    bool missed_ = false;   // nobody polled for a while, and the times since then are not kept yet
    unsigned to_try_ = 0;   // places that are tried one by one
    unsigned in_vain_ = 0;  // polls since one found something to do
    std::set<ClaimedRun> held_;
    std::size_t outside_ = 0;        // of them, waiting for others, or to be tried again
    bool may_have_claimed_ = false;  // by an exchange whose answer was lost
    bool in_line_ = false;  // more may be due than it could take: those that begin wait in line too
    bool rung_ = false, leaving_ = false;
    std::string complained_;  // of this failure
    std::string given_up_;    // the last place at which a start was given up
};

}  // namespace svc::run
