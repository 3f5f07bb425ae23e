// The audit of builders. Rows are only added.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

struct AuditEntry {
    std::string user_id, email, auth;
    std::string workspace_id, project_id;  // empty: none
    std::string action;                    // POST /projects/:id/keys
    std::string target;                    // what else the path named: name=LEGACY
    std::string address;
    int status = 0;
    std::string code = {};  // of a refusal
    std::int64_t id = 0;    // read only, as is `at`
    std::string at = {};
};

void record(Store& store, const AuditEntry& entry);
// Records it in each workspace that the account of `entry.email` works in. Does nothing if there is
// none.
void record_in_workspaces(Store& store, const AuditEntry& entry);

struct AuditQuery {
    std::string workspace_id;
    std::string project_id = {};  // empty: all
    std::int64_t before = 0;      // an id; 0: from the newest
    int limit = 50;
};
// Newest first.
std::vector<AuditEntry> read_audit(Store& store, const AuditQuery& query);

}  // namespace svc::devapi
