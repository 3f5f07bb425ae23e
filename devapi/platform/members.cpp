#include "platform/members.hpp"

#include "data/uuid.hpp"
#include "hash/sha256.hpp"
#include "platform/crypto.hpp"

namespace svc::devapi {
namespace {

// Changes of one workspace's members come one after another: two owners who lower each other at
// the same moment must not both succeed.
void lock_workspace(pqxx::work& tx, const std::string& workspace_id) {
    tx.exec_params("select from workspace where id = $1 for update", workspace_id);
}

std::optional<Role> role_of(pqxx::work& tx, const std::string& workspace_id,
                            const std::string& user_id) {
    const auto rows = tx.exec_params(
        "select role from member where workspace_id = $1 and user_id = $2", workspace_id, user_id);
    if (rows.empty()) return std::nullopt;
    return parse_role(rows[0][0].c_str());
}

bool is_last_owner(pqxx::work& tx, const std::string& workspace_id, Role role) {
    return role == Role::owner &&
           tx.exec_params1("select count(*) from member where workspace_id = $1 and role = 'owner'",
                           workspace_id)[0]
                   .as<int>() == 1;
}

void add_member(pqxx::work& tx, const std::string& workspace_id, const std::string& user_id,
                Role role) {
    tx.exec_params("insert into member (workspace_id, user_id, role) values ($1, $2, $3)",
                   workspace_id, user_id, std::string(name(role)));
}

std::string make_link(pqxx::work& tx, const std::string& user_id) {
    std::string value = base64url(random_bytes(32));
    tx.exec_params("delete from setup_link where user_id = $1 and used_at is null", user_id);
    tx.exec_params(
        "insert into setup_link (hash, user_id, expires_at) values ($1, $2, now() + interval '7 "
        "days')",
        hash::sha256(value), user_id);
    return value;
}

Invited invite_known(pqxx::work& tx, const std::string& workspace_id, const std::string& user_id,
                     bool set_up, Role role, Role by) {
    const auto now = role_of(tx, workspace_id, user_id);
    if (set_up) {
        if (now) return {MemberChange::taken, user_id, {}};
        add_member(tx, workspace_id, user_id, role);
        return {MemberChange::done, user_id, {}};
    }
    if (now && *now > by) return {MemberChange::above, user_id, {}};
    // Whoever holds its link becomes this account: it must be nobody else's.
    const bool elsewhere =
        !tx.exec_params("select from member where user_id = $1 and workspace_id <> $2", user_id,
                        workspace_id)
             .empty();
    if (elsewhere) return {MemberChange::elsewhere, user_id, {}};
    if (!now) add_member(tx, workspace_id, user_id, role);
    return {MemberChange::done, user_id, make_link(tx, user_id)};
}

}  // namespace

std::string create_workspace(Store& store, const std::string& user_id, const std::string& name) {
    std::string id = data::new_uuid();
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("insert into workspace (id, name) values ($1, $2)", id, name);
        add_member(tx, id, user_id, Role::owner);
    });
    return id;
}

std::vector<Member> members(Store& store, const std::string& workspace_id) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<Member> out;
        for (const auto& row : tx.exec_params(
                 "select a.id, a.email, m.role, iso(m.joined_at), a.password_hash is null "
                 "from member m join account a on a.id = m.user_id where m.workspace_id = $1 "
                 "order by m.joined_at, a.id",
                 workspace_id))
            out.push_back({row[0].c_str(), row[1].c_str(), parse_role(row[2].c_str()),
                           row[3].c_str(), row[4].as<bool>()});
        return out;
    });
}

Invited invite(Store& store, const std::string& workspace_id, const std::string& email, Role role,
               Role by) {
    if (role > by) return {MemberChange::above, {}, {}};
    return store.transact([&](pqxx::work& tx) -> Invited {
        lock_workspace(tx, workspace_id);
        std::string id = data::new_uuid();
        const auto made = tx.exec_params(
            "insert into account (id, email) values ($1, $2) on conflict (email) do nothing "
            "returning id",
            id, email);
        if (!made.empty()) {
            add_member(tx, workspace_id, id, role);
            return {MemberChange::done, id, make_link(tx, id)};
        }
        const auto known = tx.exec_params(
            "select id, password_hash is not null from account where email = $1 for update", email);
        return invite_known(tx, workspace_id, known[0][0].c_str(), known[0][1].as<bool>(), role,
                            by);
    });
}

MemberChange set_role(Store& store, const std::string& workspace_id, const std::string& user_id,
                      Role role, Role by) {
    return store.transact([&](pqxx::work& tx) {
        lock_workspace(tx, workspace_id);
        const auto now = role_of(tx, workspace_id, user_id);
        if (!now) return MemberChange::unknown;
        if (*now > by || role > by) return MemberChange::above;
        if (role != Role::owner && is_last_owner(tx, workspace_id, *now))
            return MemberChange::last_owner;
        tx.exec_params("update member set role = $3 where workspace_id = $1 and user_id = $2",
                       workspace_id, user_id, std::string(name(role)));
        return MemberChange::done;
    });
}

MemberChange remove_member(Store& store, const std::string& workspace_id,
                           const std::string& user_id, Role by, bool self) {
    return store.transact([&](pqxx::work& tx) {
        lock_workspace(tx, workspace_id);
        const auto now = role_of(tx, workspace_id, user_id);
        if (!now) return MemberChange::unknown;
        if (*now > by && !self) return MemberChange::above;
        if (is_last_owner(tx, workspace_id, *now)) return MemberChange::last_owner;
        // Also those of somebody who comes back later.
        tx.exec_params(
            "update token set revoked_at = now() where workspace_id = $1 and user_id = $2 and "
            "revoked_at is null",
            workspace_id, user_id);
        tx.exec_params("delete from member where workspace_id = $1 and user_id = $2", workspace_id,
                       user_id);
        return MemberChange::done;
    });
}

}  // namespace svc::devapi
