// Runs each workflow on the clone with samples of its trigger. Nothing is sent, no time passes, and
// the report says what each would do.
#include <chrono>

#include "verify/flow/flow_drive.hpp"
#include "verify/flow/flow_starts.hpp"
#include "verify/flow/flow_words.hpp"

namespace svc::devapi::verification {
namespace {

using TrialClock = std::chrono::steady_clock;

constexpr unsigned kRunsEach = 2;
constexpr std::size_t kMostRuns = 100;        // of all workflows
constexpr std::chrono::seconds kMostTime{8};  // for all of them

class WorkflowTrial {
  public:
    WorkflowTrial(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        const RollbackScope rollback(subject_.connection);
        FlowDrive drive(subject_.connection);
        const auto& all = subject_.model.flows.workflows;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Reach reach = reach_of(subject_.model, all[i].steps, all[i].run_as);
            if (!can_be_driven(subject_, all[i].id, true, reach))
                add(external_, all[i].id);
            else if (runs_ >= kMostRuns || TrialClock::now() > until_)
                add(left_out_, all[i].id);
            else
                try_out(drive, i);
        }
    }

    void report() {
        const auto warn = [&](const char* why, const std::string& names) {
            if (!names.empty()) out_.warnings.push_back(why + names + ".");
        };
        warn("Not run, because they may read rows of another database: ", external_);
        warn("Not run, because enough was run before: ", left_out_);
        warn("Not run, because no sample starts them: ", unstarted_);
        warn("Not run to their end, because it takes too long: ", cut_off_);
        out_.said = "Runs of workflows: " + std::to_string(runs_) + ", at most " +
                    std::to_string(kRunsEach) + " of each and " + std::to_string(kMostRuns) +
                    " in all. Nothing was sent. Runs that wait for a message did not get one.";
    }

  private:
    static void add(std::string& names, const std::string& name) {
        names += (names.empty() ? "" : ", ") + name;
    }

    void try_out(FlowDrive& drive, std::size_t index) {
        const std::string& id = subject_.model.flows.workflows[index].id;
        unsigned began = 0;
        bool cut_off = false;
        for (const FlowStart& start : sample_starts(subject_, index)) {
            if (began == kRunsEach || TrialClock::now() > until_) break;
            const FlowOutcome outcome = drive.run(id, start);
            if (outcome.end == FlowOutcome::End::not_started) continue;
            report_run(out_, "workflow " + id, start.by, outcome);
            cut_off = cut_off || outcome.end == FlowOutcome::End::cut_off;
            ++began;
        }
        if (began == 0) add(unstarted_, id);
        if (cut_off) add(cut_off_, id);
        runs_ += began;
    }

    Subject& subject_;
    VerifyCheck& out_;
    const TrialClock::time_point until_ = TrialClock::now() + kMostTime;
    std::size_t runs_ = 0;
    std::string external_, left_out_, unstarted_, cut_off_;  // names
};

}  // namespace

void check_workflows(Subject& subject, VerifyCheck& out) {
    if (subject.model.flows.workflows.empty())
        return not_run(out, "The contract has no workflows.");
    WorkflowTrial trial(subject, out);
    trial.run();
    compare_definitions(subject, true, out);
    trial.report();
}

}  // namespace svc::devapi::verification
