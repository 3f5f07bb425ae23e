// One apply: a contract's text becomes the live server of its project, or nothing changes.
#pragma once

#include <functional>
#include <string>

#include "apps/app_states.hpp"
#include "apps/apps.hpp"
#include "apps/keys.hpp"
#include "apps/lease/lease.hpp"
#include "apps/process/supervisor.hpp"
#include "apps/site.hpp"
#include "platform/keys/secrets.hpp"

namespace svc::devapi {

struct ApplyServices {
    const AppsConfig& config;
    Supervisor& supervisor;
    KeyBook& keys;
    AppStates& states;
    const Secrets& secrets;
    Store& store;
    // Called when published names have changed.
    const std::function<void()>& published;
};

// An apply to another environment than dev: of a contract that dev had, with the binary that dev
// built from it.
struct Release {
    Env env = Env::prod;
    std::string deployment;  // id
    Site site;
    std::int64_t version = 0;    // that the contract had in dev
    bool rollback = false;       // seeds are left alone, as rows are
    std::function<void()> keep;  // a snapshot of what is there; throws what stops the deploy
};

using OnStage = std::function<void(const Stage&)>;

// Blocks; worker threads only. The outcome has the failure, if any; the end is written to the
// lease's row.
ApplyOutcome release(const ApplyServices& services, Lease& lease, const std::string& contract,
                     const Release& release, const OnStage& progress);
ApplyOutcome apply(const ApplyServices& services, Lease& lease, const std::string& contract,
                   bool force, const OnStage& progress,
                   const std::vector<migrate::Replaced>& replaced = {});

// Builds the binary of the live contract again, because its file was lost, and starts it. A failure
// is written to the states.
void rebuild(const ApplyServices& services, const ProjectRef& project, Env env,
             const ContractRecord& record);
// Makes the lease's deployment serve, and its names lead to it. May run again. Throws LeaseLost, or
// pqxx::failure.
void mark_live(const ApplyServices& services, Lease& lease);
// Ends a published environment: no name leads there, and its next database is the first again.
// Otherwise as above.
void mark_gone(const ApplyServices& services, Lease& lease);
// Records that the deployment will never serve. Otherwise as above.
void mark_failed(Lease& lease, const std::string& error);

}  // namespace svc::devapi
