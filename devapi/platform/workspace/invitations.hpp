// Invitations to a workspace. An invitation is not a membership: it gives no right until the
// account of its address accepts it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/account/accounts.hpp"
#include "platform/store.hpp"
#include "platform/workspace/members.hpp"

namespace svc::devapi {

struct InvitationMail {
    std::string subject, text;
};

struct NewInvitation {
    std::string workspace_id, email;
    Role role = Role::viewer;
    std::string invited_by;
    Role by = Role::viewer;              // of who invites
    std::string link;                    // value of the one-time link
    std::optional<InvitationMail> mail;  // the link goes to the mailbox alone
};

struct InviteResult {
    MemberChange change = MemberChange::done;
    std::string id;  // the member's id until there is a member, and valid afterwards too
};
// Invites for 7 days. A new invitation for the same address ends the earlier link. The time and the
// answer do not depend on whether the address has an account.
InviteResult invite(Store& store, const NewInvitation& wanted);

struct Invitation {
    std::string id, workspace_id, workspace_name, email;
    std::string inviter;  // their address
    Role role = Role::viewer;
    bool mailed = false;  // the holder of the link owns the mailbox
};
// An invitation that can be accepted: not used, ended or expired, and its inviter may still invite
// to this role.
std::optional<Invitation> find_invitation(Store& store, const std::string& link);

struct JoinResult {
    enum class Result {
        done,
        unknown_link,  // as find_invitation
        changed,       // the account is not as it was when this was asked
    } result = Result::unknown_link;
    Account account;
    Invitation invitation;
    std::vector<EndedKey> keys = {};  // of memberships that ended with it
};
// Accepts the invitation as this account, which has the invitation's address. The link is used up.
JoinResult join_as(Store& store, const std::string& link, const std::string& user_id);
// Makes the account, or sets the password of an account without one.
JoinResult join_anew(Store& store, const std::string& link, const std::string& password_hash);
// For the owner of the mailbox if somebody else made the account of its address: makes another
// account. The old account loses its address, password, sessions and tokens, and its memberships
// except in workspaces that would have no owner.
JoinResult join_instead(Store& store, const std::string& link, const std::string& password_hash);

// Takes the address away from an unproven account, as join_instead() does; for the operator. False:
// there is no such account.
bool release_address(Store& store, const std::string& email);

}  // namespace svc::devapi
