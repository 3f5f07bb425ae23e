#include "platform/workspace/members.hpp"

#include "base/uuid.hpp"
#include "platform/workspace/membership.hpp"

namespace svc::devapi {
namespace {

// The account of a member who is named by it or by the invitation that they accepted; empty: none.
std::string member_named(pqxx::work& tx, const std::string& workspace_id, const std::string& id) {
    const auto rows = tx.exec_params(
        "select user_id from member where workspace_id = $1 and (user_id = $2 or invited_as = $2)",
        workspace_id, id);
    return rows.empty() ? std::string() : rows[0][0].c_str();
}

std::optional<Role> invited_role(pqxx::work& tx, const std::string& workspace_id,
                                 const std::string& id) {
    const auto rows = tx.exec_params(
        "select role from invitation where workspace_id = $1 and id = $2", workspace_id, id);
    if (rows.empty()) return std::nullopt;
    return parse_role(rows[0][0].c_str());
}

MemberChangeResult set_invited_role(pqxx::work& tx, const std::string& workspace_id,
                                    const std::string& id, Role role, const Changer& by) {
    const auto now = invited_role(tx, workspace_id, id);
    if (!now) return {MemberChange::unknown};
    if (*now > by.role || role > by.role) return {MemberChange::above};
    tx.exec_params("update invitation set role = $2, invited_by = $3 where id = $1", id,
                   std::string(name(role)), by.user_id);
    return {};
}

MemberChangeResult end_invitation(pqxx::work& tx, const std::string& workspace_id,
                                  const std::string& id, const Changer& by) {
    const auto now = invited_role(tx, workspace_id, id);
    if (!now) return {MemberChange::unknown};
    if (*now > by.role) return {MemberChange::above};
    tx.exec_params("delete from invitation where id = $1", id);
    return {};
}

}  // namespace

std::string create_workspace(Store& store, const std::string& user_id, const std::string& name) {
    std::string id = base::new_uuid();
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("insert into workspace (id, name) values ($1, $2)", id, name);
        tx.exec_params("insert into member (workspace_id, user_id, role) values ($1, $2, 'owner')",
                       id, user_id);
    });
    return id;
}

std::vector<Member> members(Store& store, const std::string& workspace_id) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<Member> out;
        for (const auto& row : tx.exec_params(
                 "select a.id, a.email, m.role, iso(m.joined_at), '', '', m.joined_at as place, "
                 "false as pending from member m join account a on a.id = m.user_id "
                 "where m.workspace_id = $1 union all "
                 "select i.id, i.email, i.role, '', iso(i.expires_at), case when not i.mailed then "
                 "'' when o.id is null then 'sent' when o.ended_at is null then 'waiting' else "
                 "'failed' end, i.created_at, true from invitation i left join outgoing_mail o "
                 "on o.invitation_id = i.id where i.workspace_id = $1 order by pending, place, id",
                 workspace_id))
            out.push_back({row[0].c_str(), row[1].c_str(), parse_role(row[2].c_str()),
                           row[3].c_str(), row[4].c_str(), row[5].c_str()});
        return out;
    });
}

MemberChangeResult set_role(Store& store, const std::string& workspace_id, const std::string& id,
                            Role role, const Changer& by) {
    return store.transact([&](pqxx::work& tx) -> MemberChangeResult {
        lock_workspace(tx, workspace_id);
        const std::string user = member_named(tx, workspace_id, id);
        if (user.empty()) return set_invited_role(tx, workspace_id, id, role, by);
        const Role now = role_of(tx, workspace_id, user).value();
        if (now > by.role || role > by.role) return {MemberChange::above};
        if (role != Role::owner && is_last_owner(tx, workspace_id, now))
            return {MemberChange::last_owner};
        tx.exec_params("update member set role = $3 where workspace_id = $1 and user_id = $2",
                       workspace_id, user, std::string(name(role)));
        end_invitations_above(tx, workspace_id, user, role);
        if (role > Role::viewer) return {};
        return {MemberChange::done, end_keys(tx, workspace_id, user, false)};
    });
}

MemberChangeResult remove_member(Store& store, const std::string& workspace_id,
                                 const std::string& id, const Changer& by) {
    return store.transact([&](pqxx::work& tx) -> MemberChangeResult {
        lock_workspace(tx, workspace_id);
        const std::string user = member_named(tx, workspace_id, id);
        if (user.empty()) return end_invitation(tx, workspace_id, id, by);
        const Role now = role_of(tx, workspace_id, user).value();
        if (now > by.role && user != by.user_id) return {MemberChange::above};
        if (is_last_owner(tx, workspace_id, now)) return {MemberChange::last_owner};
        return {MemberChange::done, end_membership(tx, workspace_id, user)};
    });
}

}  // namespace svc::devapi
