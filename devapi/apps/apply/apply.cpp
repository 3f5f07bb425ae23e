#include "apps/apply/apply.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "apps/apply/apply_job.hpp"
#include "apps/check/summary.hpp"
#include "apps/database/provision.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// A later apply starts the new server before it touches the database: after the commit nothing is
// left that can fail but moving a pointer. A first one has no tables yet that a server could start
// on, and nothing that a failure could harm.
ApplyOutcome Apply::run() {
    const bool done =
        stage(StageName::check, &Apply::check) &&          //
        make_ready() &&                                    //
        stage(StageName::provision, &Apply::provision) &&  //
        (before_ ? keep() && stage(StageName::start, &Apply::start, LeaseStage::started) &&
                       stage(StageName::migrate, &Apply::migrate, LeaseStage::migrated)
                 : stage(StageName::migrate, &Apply::migrate, LeaseStage::migrated) &&
                       stage(StageName::start, &Apply::start, LeaseStage::started)) &&
        stage(StageName::swap, &Apply::swap);
    if (!done) undo();
    end_lease();
    outcome_.summary = summarise(outcome_);
    return std::move(outcome_);
}

// A binary. What is published was built for dev.
bool Apply::make_ready() {
    if (release_) return stage(StageName::promote, &Apply::promote, LeaseStage::built);
    return stage(StageName::emit, &Apply::emit) &&
           stage(StageName::build, &Apply::build, LeaseStage::built);
}

bool Apply::stage(StageName name, Step step, std::optional<LeaseStage> reached) {
    const auto start = std::chrono::steady_clock::now();
    report({name, StageStatus::running, 0, {}});
    detail_.clear();
    bool done = false;
    try {
        done = (this->*step)();
        if (done && reached) reach(*reached);
    } catch (const std::exception& error) {
        done = fail(log_words(error));
    }
    if (!done && outcome_.status == ApplyOutcome::Status::failed) outcome_.failed_stage = name;
    report({name, done ? StageStatus::done : StageStatus::failed, ms_since(start),
            done ? detail_ : outcome_.error});
    return done;
}

// After the commit the reached stage is known without this row.
void Apply::reach(LeaseStage stage) try {
    lease_.reach(stage);
} catch (const std::exception& error) {
    if (!committed_) throw;
    log::write(log::Level::warning, "stage_not_recorded",
               {{"stage", std::string(word(stage))}, {"what", log_words(error)}});
}

// Old server, schema and contract are as they were. A database that this apply made goes again: it
// holds nothing that is not in the contract.
void Apply::undo() {
    try {
        if (server_) services_.supervisor.discard(server_);
        if (lease_.row().makes_database && !live_ && !in_doubt_) {
            lease_.reach(LeaseStage::undoing);
            services_.keys.close(project_.id, database_);
            lease_.guarded([this] { drop(config_, database_); });
        }
        if (release_ && !in_doubt_)
            mark_failed(lease_, outcome_.error.empty() ? summarise(outcome_) : outcome_.error);
    } catch (const std::exception& error) {
        in_doubt_ = true;
        outcome_.error +=
            std::string("\nThe remains of this attempt will be removed later: ") + log_words(error);
    }
    if (outcome_.status == ApplyOutcome::Status::failed)
        services_.states.change(app_, [this](AppState& state) {
            state.last_error = at_stage(outcome_.failed_stage) + outcome_.error;
        });
}

// If its row has no end, it is recovered, forwards or backwards, as soon as the outcome is known.
void Apply::end_lease() {
    if (in_doubt_) return;
    using Status = ApplyOutcome::Status;
    const LeaseEnd how = outcome_.status == Status::applied       ? LeaseEnd::applied
                         : outcome_.status == Status::invalid     ? LeaseEnd::invalid
                         : outcome_.status == Status::hand_edited ? LeaseEnd::refused
                                                                  : LeaseEnd::failed;
    try {
        lease_.finish({how, outcome_.version, at_stage(outcome_.failed_stage) + outcome_.error});
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "apply_end_not_recorded",
                   {{"project", project_.id}, {"what", log_words(error)}});
    }
}

bool Apply::fail(std::string error) {
    outcome_.status = ApplyOutcome::Status::failed;
    outcome_.error = std::move(error);
    return false;
}

ApplyOutcome apply(const ApplyServices& services, Lease& lease, const std::string& contract,
                   bool force, const OnStage& progress,
                   const std::vector<migrate::Replaced>& replaced) {
    return Apply(services, lease, contract, force, progress, replaced).run();
}

ApplyOutcome release(const ApplyServices& services, Lease& lease, const std::string& contract,
                     const Release& release, const OnStage& progress) {
    return Apply(services, lease, contract, false, progress, {}, &release).run();
}

}  // namespace svc::devapi
