#include "platform/workspace/membership.hpp"

namespace svc::devapi {

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

std::vector<EndedKey> end_keys(pqxx::work& tx, const std::string& workspace_id,
                               const std::string& user_id, bool previews) {
    std::vector<EndedKey> out;
    for (const auto& row :
         tx.exec_params("delete from project_key k using project p where p.id = k.project_id and "
                        "p.workspace_id = $1 and k.created_by = $2 and ($3 or k.kind <> 'preview') "
                        "returning k.id, k.name, k.kind, p.id, p.name",
                        workspace_id, user_id, previews))
        out.push_back({row[0].c_str(), row[1].c_str(),
                       base::read_word<KeyKind>(row[2].c_str()).value(), row[3].c_str(),
                       row[4].c_str()});
    return out;
}

void end_invitations_above(pqxx::work& tx, const std::string& workspace_id,
                           const std::string& user_id, Role role) {
    tx.exec_params(
        "delete from invitation where workspace_id = $1 and invited_by = $2 and ($3 or "
        "role_rank(role) > role_rank($4))",
        workspace_id, user_id, role < Role::admin, std::string(name(role)));
}

// Tokens also of somebody who comes back later.
std::vector<EndedKey> end_membership(pqxx::work& tx, const std::string& workspace_id,
                                     const std::string& user_id) {
    tx.exec_params(
        "update token set revoked_at = now() where workspace_id = $1 and user_id = $2 and "
        "revoked_at is null",
        workspace_id, user_id);
    tx.exec_params("delete from invitation where workspace_id = $1 and invited_by = $2",
                   workspace_id, user_id);
    // Deleted before the keys: the creation of a key locks this row.
    tx.exec_params("delete from member where workspace_id = $1 and user_id = $2", workspace_id,
                   user_id);
    return end_keys(tx, workspace_id, user_id, true);
}

}  // namespace svc::devapi
