// Completes or undoes changes that an earlier svcd left incomplete.
#pragma once

#include "apps/apply/apply.hpp"
#include "apps/lease/lease.hpp"

namespace svc::devapi {

// Completes or undoes a change. An apply whose transaction committed is completed: its binary
// serves, its files are written. Any other apply is undone: the earlier binary serves, and a
// database that the apply made is dropped. `serving` false: app servers are started afterwards.
// Blocks. Throws if that cannot be done now; it may run again.
void recover(const ApplyServices& services, Lease& left, bool serving);

// Completes the removal that a change of this kind has begun (stage `removing`). May run again. The
// caller records the end.
void unpublish(const ApplyServices& services, Lease& lease, bool serving);

// Ends a project's servers, where some serve, drops its databases and their roles, and removes what
// else is kept of it outside of the platform's database.
void erase_project(const ApplyServices& services, const std::string& project, bool serving);

// Ends app servers and compilers of this data folder that no svcd supervises, and removes folders
// of builds. `kept`: the apps that continue. For the start of svcd, while nothing runs yet.
void clear_leftovers(const AppsConfig& config, const std::vector<AppId>& kept);

}  // namespace svc::devapi
