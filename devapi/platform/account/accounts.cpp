#include "platform/account/accounts.hpp"

#include <stdexcept>

#include "auth/email.hpp"
#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"

namespace svc::devapi {
namespace {

Account insert_owner(pqxx::work& tx, const std::string& email, const std::string& password_hash) {
    if (password_hash.empty())
        throw std::runtime_error("The server has too little memory to hash a password. Try again.");
    Account account{base::new_uuid(), email, password_hash, false};
    const std::string workspace = base::new_uuid();
    tx.exec_params("insert into account (id, email, password_hash) values ($1, $2, $3)", account.id,
                   email, password_hash);
    tx.exec_params("insert into workspace (id, name) values ($1, 'Personal')", workspace);
    tx.exec_params("insert into member (workspace_id, user_id, role) values ($1, $2, 'owner')",
                   workspace, account.id);
    return account;
}

}  // namespace

Role parse_role(std::string_view text) {
    if (const auto role = base::read_word<Role>(text)) return *role;
    throw std::logic_error("unknown role in the platform's database");
}

std::string normal_email(std::string_view email) { return base::lower(base::trim(email)); }

bool plausible_email(std::string_view email) { return auth::is_plain_address(email); }

bool any_account(Store& store) {
    return store.transact(
        [](pqxx::work& tx) { return !tx.exec("select 1 from account limit 1").empty(); });
}

std::optional<Account> find_account(Store& store, const std::string& email) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Account> {
        const auto rows = tx.exec_params(
            "select id, email, coalesce(password_hash, ''), proven_at is not null from account "
            "where email = $1",
            normal_email(email));
        if (rows.empty()) return std::nullopt;
        return Account{rows[0][0].c_str(), rows[0][1].c_str(), rows[0][2].c_str(),
                       rows[0][3].as<bool>()};
    });
}

Account create_owner(Store& store, const std::string& email, const std::string& password_hash) {
    return store.transact(
        [&](pqxx::work& tx) { return insert_owner(tx, normal_email(email), password_hash); });
}

std::vector<Membership> memberships(Store& store, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<Membership> out;
        for (const auto& row :
             tx.exec_params("select w.id, w.name, m.role, w.require_mfa from member m join "
                            "workspace w on w.id = m.workspace_id "
                            "where m.user_id = $1 order by m.joined_at, w.id",
                            user_id))
            out.push_back(
                {row[0].c_str(), row[1].c_str(), parse_role(row[2].c_str()), row[3].as<bool>()});
        return out;
    });
}

std::optional<Role> role_in(Store& store, const std::string& user_id,
                            const std::string& workspace_id) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Role> {
        const auto rows =
            tx.exec_params("select role from member where user_id = $1 and workspace_id = $2",
                           user_id, workspace_id);
        if (rows.empty()) return std::nullopt;
        return parse_role(rows[0][0].c_str());
    });
}

std::string new_setup_link(Store& store) {
    std::string value = base::base64url(base::random_bytes(32));
    store.transact([&](pqxx::work& tx) {
        tx.exec("delete from setup_link where user_id is null and used_at is null");
        tx.exec_params(
            "insert into setup_link (hash, expires_at) values ($1, now() + interval '7 days')",
            base::sha256_hex(value));
    });
    return value;
}

Setup use_setup_link(Store& store, const std::string& value, const std::string& email,
                     const std::string& password_hash) {
    return store.transact([&](pqxx::work& tx) -> Setup {
        const auto link = tx.exec_params(
            "select from setup_link where hash = $1 and user_id is null and used_at is null and "
            "expires_at > now() for update",
            base::sha256_hex(value));
        if (link.empty()) return {};
        if (!plausible_email(normal_email(email))) return {Setup::Result::email_needed, {}};
        const Account account = insert_owner(tx, normal_email(email), password_hash);
        tx.exec_params("update setup_link set used_at = now() where hash = $1",
                       base::sha256_hex(value));
        return {Setup::Result::done, account};
    });
}

}  // namespace svc::devapi
