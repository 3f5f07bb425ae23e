#include "platform/workspace/invitations.hpp"

#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "platform/workspace/membership.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kAsked =
    "select i.id, i.workspace_id, w.name, i.email, b.email, i.role, i.mailed from invitation i "
    "join workspace w on w.id = i.workspace_id join account b on b.id = i.invited_by "
    "join member m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by "
    "where i.hash = $1 and i.expires_at > now() and role_rank(m.role) >= role_rank('admin') "
    "and role_rank(m.role) >= role_rank(i.role)";

Invitation invitation_of(const pqxx::row& row) {
    return {row[0].c_str(),   row[1].c_str(), row[2].c_str(),
            row[3].c_str(),   row[4].c_str(), parse_role(row[5].c_str()),
            row[6].as<bool>()};
}

// A workspace before its invitations, as invite() locks them.
std::optional<Invitation> locked_invitation(pqxx::work& tx, const std::string& link) {
    const std::string hash = base::sha256_hex(link);
    const auto where = tx.exec_params("select workspace_id from invitation where hash = $1", hash);
    if (where.empty()) return std::nullopt;
    lock_workspace(tx, where[0][0].c_str());
    const auto rows = tx.exec_params(std::string(kAsked) + " for update of i", hash);
    if (rows.empty()) return std::nullopt;
    return invitation_of(rows[0]);
}

JoinResult let_in(pqxx::work& tx, const Invitation& invitation, const std::string& user_id) {
    tx.exec_params(
        "insert into member (workspace_id, user_id, role, invited_as) values ($1, $2, $3, $4) on "
        "conflict (workspace_id, user_id) do nothing",
        invitation.workspace_id, user_id, std::string(name(invitation.role)), invitation.id);
    tx.exec_params("delete from invitation where id = $1", invitation.id);
    if (invitation.mailed)
        tx.exec_params("update account set proven_at = coalesce(proven_at, now()) where id = $1",
                       user_id);
    return {
        JoinResult::Result::done, {user_id, invitation.email, {}, invitation.mailed}, invitation};
}

// No account is left with this address. Its memberships end, but for the last owner's: their
// workspaces stay whole, with an owner as whom nobody signs in.
std::vector<EndedKey> release_account(pqxx::work& tx, const std::string& user_id) {
    tx.exec_params(
        "update account set email = 'released-' || id, password_hash = null where id = $1",
        user_id);
    for (const char* table : {"session", "cli_login", "factor_step", "account_totp",
                              "account_backup_code", "account_passkey"})
        tx.exec_params(std::string("delete from ") + table + " where user_id = $1", user_id);
    tx.exec_params("update token set revoked_at = now() where user_id = $1 and revoked_at is null",
                   user_id);
    std::vector<EndedKey> keys;
    for (const auto& row :
         tx.exec_params("select m.workspace_id, m.role from member m join workspace w on w.id = "
                        "m.workspace_id where m.user_id = $1 order by w.id for update of w",
                        user_id)) {
        const std::string workspace = row[0].c_str();
        if (is_last_owner(tx, workspace, parse_role(row[1].c_str()))) continue;
        for (auto& key : end_membership(tx, workspace, user_id)) keys.push_back(std::move(key));
    }
    return keys;
}

}  // namespace

InviteResult invite(Store& store, const NewInvitation& wanted) {
    if (wanted.role > wanted.by) return {MemberChange::above, {}};
    return store.transact([&](pqxx::work& tx) -> InviteResult {
        lock_workspace(tx, wanted.workspace_id);
        const auto known = tx.exec_params(
            "select from member m join account a on a.id = m.user_id where m.workspace_id = $1 "
            "and a.email = $2",
            wanted.workspace_id, wanted.email);
        if (!known.empty()) return {MemberChange::taken, {}};
        const auto before =
            tx.exec_params("select id, role from invitation where workspace_id = $1 and email = $2",
                           wanted.workspace_id, wanted.email);
        if (!before.empty() && parse_role(before[0][1].c_str()) > wanted.by)
            return {MemberChange::above, {}};
        // A mail that waits goes with its invitation.
        tx.exec_params("delete from invitation where workspace_id = $1 and email = $2",
                       wanted.workspace_id, wanted.email);
        const std::string id = before.empty() ? base::new_uuid() : before[0][0].c_str();
        tx.exec_params(
            "insert into invitation (id, workspace_id, email, role, invited_by, hash, mailed, "
            "expires_at) values ($1, $2, $3, $4, $5, $6, $7, now() + interval '7 days')",
            id, wanted.workspace_id, wanted.email, std::string(name(wanted.role)),
            wanted.invited_by, base::sha256_hex(wanted.link), wanted.mail.has_value());
        if (wanted.mail)
            tx.exec_params(
                "insert into outgoing_mail (id, invitation_id, recipient, subject, body) values "
                "($1, $2, $3, $4, $5)",
                base::new_uuid(), id, wanted.email, wanted.mail->subject, wanted.mail->text);
        return {MemberChange::done, id};
    });
}

std::optional<Invitation> find_invitation(Store& store, const std::string& link) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Invitation> {
        const auto rows = tx.exec_params(kAsked, base::sha256_hex(link));
        if (rows.empty()) return std::nullopt;
        return invitation_of(rows[0]);
    });
}

JoinResult join_as(Store& store, const std::string& link, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) -> JoinResult {
        const auto invitation = locked_invitation(tx, link);
        if (!invitation) return {};
        const auto same =
            tx.exec_params("select from account where id = $1 and email = $2 for update", user_id,
                           invitation->email);
        if (same.empty()) return {JoinResult::Result::changed, {}, *invitation};
        return let_in(tx, *invitation, user_id);
    });
}

JoinResult join_anew(Store& store, const std::string& link, const std::string& password_hash) {
    return store.transact([&](pqxx::work& tx) -> JoinResult {
        const auto invitation = locked_invitation(tx, link);
        if (!invitation) return {};
        const auto made = tx.exec_params(
            "insert into account as a (id, email, password_hash) values ($1, $2, $3) on conflict "
            "(email) do update set password_hash = $3 where a.password_hash is null returning id",
            invitation->id, invitation->email, password_hash);
        if (made.empty()) return {JoinResult::Result::changed, {}, *invitation};
        return let_in(tx, *invitation, made[0][0].c_str());
    });
}

JoinResult join_instead(Store& store, const std::string& link, const std::string& password_hash) {
    return store.transact([&](pqxx::work& tx) -> JoinResult {
        const auto invitation = locked_invitation(tx, link);
        if (!invitation) return {};
        const auto old = tx.exec_params(
            "select id from account where email = $1 and proven_at is null for update",
            invitation->email);
        if (old.empty() || !invitation->mailed)
            return {JoinResult::Result::changed, {}, *invitation};
        std::vector<EndedKey> keys = release_account(tx, old[0][0].c_str());
        tx.exec_params("insert into account (id, email, password_hash) values ($1, $2, $3)",
                       invitation->id, invitation->email, password_hash);
        JoinResult joined = let_in(tx, *invitation, invitation->id);
        joined.keys = std::move(keys);
        return joined;
    });
}

bool release_address(Store& store, const std::string& email) {
    return store.transact([&](pqxx::work& tx) {
        const auto old = tx.exec_params(
            "select id from account where email = $1 and proven_at is null for update",
            normal_email(email));
        if (!old.empty()) release_account(tx, old[0][0].c_str());
        return !old.empty();
    });
}

}  // namespace svc::devapi
