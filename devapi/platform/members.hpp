// Workspaces and who works in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/accounts.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct Member {
    std::string user_id, email;
    Role role = Role::viewer;
    std::string joined_at;
    bool pending = false;  // has not set up the account yet
};

// Owned by its maker. Returns its id.
std::string create_workspace(Store& store, const std::string& user_id, const std::string& name);
// In the order in which they joined.
std::vector<Member> members(Store& store, const std::string& workspace_id);

// What came of a change; `by` may touch only roles up to their own, and owners only as an owner.
enum class MemberChange {
    done,
    unknown,     // no such member
    above,       // the member's role, or the one given, is above that of whoever changes it
    last_owner,  // a workspace keeps one
    taken,       // is a member already
    elsewhere,   // has been invited by another workspace and is not set up yet
};

struct Invited {
    MemberChange change = MemberChange::done;
    std::string user_id;
    std::string setup;  // value of the one-time link, 7 days; empty: the account is set up
};
// Makes the account where there is none. A member whose account is not set up yet gets a new link;
// the old one ends.
Invited invite(Store& store, const std::string& workspace_id, const std::string& email, Role role,
               Role by);
MemberChange set_role(Store& store, const std::string& workspace_id, const std::string& user_id,
                      Role role, Role by);
// Their tokens of this workspace are revoked with it. Anybody may leave.
MemberChange remove_member(Store& store, const std::string& workspace_id,
                           const std::string& user_id, Role by, bool self);

}  // namespace svc::devapi
