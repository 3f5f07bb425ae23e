// Changes of memberships within a transaction, shared by members.cpp and invitations.cpp.
#pragma once

#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "platform/account/accounts.hpp"
#include "platform/workspace/members.hpp"

namespace svc::devapi {

// Changes of one workspace's members come one after another: two owners who lower each other at
// the same moment must not both succeed.
void lock_workspace(pqxx::work& tx, const std::string& workspace_id);
std::optional<Role> role_of(pqxx::work& tx, const std::string& workspace_id,
                            const std::string& user_id);
bool is_last_owner(pqxx::work& tx, const std::string& workspace_id, Role role);

// The browser and server keys that the member made for the workspace's projects; with `previews`
// also their preview tokens.
std::vector<EndedKey> end_keys(pqxx::work& tx, const std::string& workspace_id,
                               const std::string& user_id, bool previews);
// Ends the invitations of this account that somebody of this role could not make.
void end_invitations_above(pqxx::work& tx, const std::string& workspace_id,
                           const std::string& user_id, Role role);
// Ends a membership with its tokens, keys and invitations.
std::vector<EndedKey> end_membership(pqxx::work& tx, const std::string& workspace_id,
                                     const std::string& user_id);

}  // namespace svc::devapi
