// Who was asked to join a workspace, and joining it. An invitation is not a membership: it gives no
// right anywhere until somebody accepts it as the account of its address.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/accounts.hpp"
#include "platform/members.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct InvitationLetter {
    std::string subject, text;
};

struct NewInvitation {
    std::string workspace_id, email;
    Role role = Role::viewer;
    std::string invited_by;
    Role by = Role::viewer;                  // of who invites
    std::string link;                        // value of the one-time link
    std::optional<InvitationLetter> letter;  // the link goes to the mailbox alone
};

struct Invited {
    MemberChange change = MemberChange::done;
    std::string id;  // stands for the member until there is one, and names them afterwards too
};
// For 7 days. Again for the same address: its earlier link ends. Costs and tells the same whether
// there is an account of this address or none.
Invited invite(Store& store, const NewInvitation& wish);

struct Invitation {
    std::string id, workspace_id, workspace_name, email;
    std::string inviter;  // their address
    Role role = Role::viewer;
    bool mailed = false;  // whoever has the link has the mailbox
};
// One that can be accepted: neither used, ended nor too old, by somebody who may still invite to
// this role.
std::optional<Invitation> find_invitation(Store& store, const std::string& link);

struct Joined {
    enum class Result {
        done,
        unknown_link,  // as find_invitation
        changed,       // the account is not as it was when this was asked
    } result = Result::unknown_link;
    Account account;
    Invitation invitation;
    std::vector<EndedKey> keys = {};  // of memberships that ended with it
};
// Uses the link up. As this account, which is of the invitation's address.
Joined join_as(Store& store, const std::string& link, const std::string& user_id);
// Makes the account, or gives one that has no password yet this one.
Joined join_anew(Store& store, const std::string& link, const std::string& password_hash);
// For whoever has the mailbox, where the account of its address is somebody else's who has not:
// makes another account. The old one loses address, password, sessions and tokens, and its
// memberships but for those of workspaces that would be left without an owner.
Joined join_instead(Store& store, const std::string& link, const std::string& password_hash);

// Takes the address away from an account that nobody has proven, as join_instead() does; for the
// operator. False: there is no such account.
bool release_address(Store& store, const std::string& email);

}  // namespace svc::devapi
