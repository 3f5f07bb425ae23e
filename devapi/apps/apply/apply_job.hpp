// One running apply. apply.cpp runs the stages of apply_stages.cpp.
#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <string>

#include "apps/apply/apply.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/launch.hpp"
#include "apps/secret_hosts.hpp"
#include "pipeline.hpp"

namespace svc::devapi {

double ms_since(std::chrono::steady_clock::time_point start);

class Apply {
  public:
    Apply(const ApplyServices& services, Lease& lease, const std::string& contract, bool force,
          const OnStage& progress, const std::vector<migrate::Replaced>& replaced,
          const Release* release = nullptr)
        : services_(services),
          lease_(lease),
          project_(lease.row().project),
          contract_(contract),
          force_(force),
          progress_(progress),
          replaced_(replaced),
          release_(release),
          config_(for_change(services.config, lease.row().id)),
          database_(app_database(config_, project_.id, app_.second)) {}

    ApplyOutcome run();

  private:
    using Step = bool (Apply::*)();
    // `reached` is what the lease's row says from then on.
    bool stage(StageName name, Step step, std::optional<LeaseStage> reached = {});
    bool check();
    bool emit();
    bool build();
    bool promote();
    bool keep();
    bool take_snapshot();
    bool fits();
    bool provision();
    void keep_version();
    bool start();
    bool migrate();
    bool still_ours();
    bool swap();
    void write_files();
    void publish();
    bool make_ready();
    void warn_of_touched_runs();
    bool may_send_secrets();
    bool pass_gates();
    void share_secrets();
    std::vector<SecretUse> said_uses(const std::optional<std::string>& live) const;
    std::string folder() const { return project_folder(config_, project_.id, app_.second); }
    void undo();
    void end_lease();

    void report(const Stage& stage) const {
        if (progress_) progress_(stage);
    }
    void add_findings(diag::Findings findings);
    bool unchanged();
    std::optional<bool> has_committed();
    void reach(LeaseStage stage);
    bool fail(std::string error);
    migrate::Target target() const;
    SecretScope secret_scope() const;

    const ApplyServices& services_;
    Lease& lease_;
    const ProjectRef& project_;
    const std::string& contract_;
    const bool force_;
    const OnStage& progress_;
    const std::vector<migrate::Replaced>& replaced_;  // of tables that it takes over
    const Release* const release_;                    // null: to dev
    const AppId app_{project_.id, release_ ? release_->env : Env::dev};
    const AppsConfig config_;
    const AppDatabase database_;

    std::string kept_ = contract_;  // the text to store (with_kept_seeds)
    std::optional<plan::Plan> plan_;
    emit::FileSet files_;
    std::future<emit::FileSet> formatted_;  // the same for readers, laid out while the build runs
    Launch launch_;
    std::optional<ContractRecord> before_;  // none: the first apply
    bool keeps_server_ = false, committed_ = false, live_ = false;
    bool in_doubt_ = false;  // unknown whether it committed, or what undo() left: recovery decides
    migrate::Record record_;
    Process::Self server_;
    ApplyOutcome outcome_;
    std::string detail_;
};

}  // namespace svc::devapi
