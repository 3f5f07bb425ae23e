// Workspaces and who works in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "identity/key_kind.hpp"
#include "platform/account/accounts.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct Member {
    std::string id;  // of the account, or of the invitation while that is pending
    std::string email;
    Role role = Role::viewer;
    std::string joined_at;  // empty: pending
    // Pending only: until when the link is good, and where its mail is (sent, waiting, failed;
    // empty: it is not mailed).
    std::string expires_at, mail;

    bool pending() const { return joined_at.empty(); }
};

// A key that was revoked together with its maker's membership.
struct EndedKey {
    std::string id, name;
    KeyKind kind = KeyKind::browser;
    std::string project_id, project_name;
};

// Makes a workspace that its maker owns. Returns its id.
std::string create_workspace(Store& store, const std::string& user_id, const std::string& name);
// The members in the order in which they joined. Those who were invited and have not joined come
// last.
std::vector<Member> members(Store& store, const std::string& workspace_id);

// The result of a change. `by` may change only roles up to their own, and owners only as an owner.
enum class MemberChange {
    done,
    unknown,     // no such member
    above,       // the member's role, or the one given, is above that of the changing member
    last_owner,  // a workspace keeps one
    taken,       // is a member already
};

// The member who makes a change.
struct Changer {
    std::string user_id;
    Role role = Role::viewer;
};

struct MemberChangeResult {
    MemberChange change = MemberChange::done;
    std::vector<EndedKey> keys = {};  // that ended with it
};
// `id` is that of an account or of an invitation, also of one that was accepted. A member who
// becomes a viewer loses the browser and server keys that they made. The member who changes the
// role of an invitation becomes its inviter.
MemberChangeResult set_role(Store& store, const std::string& workspace_id, const std::string& id,
                            Role role, const Changer& by);
// Removes a member with their tokens of this workspace, the keys that they made for its projects,
// and their invitations. Every member may leave. An invitation's link ends.
MemberChangeResult remove_member(Store& store, const std::string& workspace_id,
                                 const std::string& id, const Changer& by);

}  // namespace svc::devapi
