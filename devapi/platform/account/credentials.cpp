#include "platform/account/credentials.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "platform/account/accounts.hpp"

namespace svc::devapi {
namespace {

constexpr std::string_view kTokenPrefix = "svc_pat_";
constexpr int kSessionHours = 12;
constexpr const char* kTokenColumns =
    "id, name, workspace_id, prefix, scopes, iso(expires_at), iso(last_used_at), iso(created_at)";

std::int64_t now() {
    return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
}

TokenRecord token_record(const pqxx::row& row) {
    return {row[0].c_str(),    row[1].c_str(),       row[2].c_str(),       row[3].c_str(),
            text_list(row[4]), text_or_none(row[5]), text_or_none(row[6]), row[7].c_str()};
}

Caller session_caller(Store& store, const std::string& session_id) {
    return store.transact([&](pqxx::work& tx) -> Caller {
        const auto rows = tx.exec_params(
            "select a.id, a.email, s.second_factor from session s join account a on a.id = "
            "s.user_id "
            "where s.id = $1 and s.expires_at > now()",
            session_id);
        if (rows.empty()) return {};
        Caller caller{
            Caller::Kind::session,      rows[0][0].c_str(), rows[0][1].c_str(), session_id, "",
            {"read", "apply", "deploy"}};
        caller.second_factor = rows[0][2].as<bool>();
        return caller;
    });
}

// Its last use is written at most once a minute, so that not every read costs a write.
Caller token_caller(Store& store, std::string_view value) {
    return store.transact([&](pqxx::work& tx) -> Caller {
        const auto rows = tx.exec_params(
            "select t.id, a.id, a.email, t.workspace_id, t.scopes, "
            "coalesce(t.last_used_at < now() - interval '1 minute', true), m.role, "
            "has_factor(a.id) "
            "from token t join account a on a.id = t.user_id "
            "join member m on m.user_id = t.user_id and m.workspace_id = t.workspace_id "
            // A token of an ended membership does not count for the next one.
            "where t.hash = $1 and t.created_at >= m.joined_at and t.revoked_at is null and "
            "(t.expires_at is null or t.expires_at "
            "> now())",
            base::sha256_hex(value));
        if (rows.empty()) return {};
        const auto row = rows[0];
        if (row[5].as<bool>())
            tx.exec_params("update token set last_used_at = now() where id = $1", row[0].c_str());
        Caller caller{Caller::Kind::token, row[1].c_str(), row[2].c_str(),
                      row[0].c_str(),      row[3].c_str(), text_list(row[4])};
        caller.second_factor = row[7].as<bool>();
        hold_to_role(caller, parse_role(row[6].c_str()));
        return caller;
    });
}

}  // namespace

void hold_to_role(Caller& caller, Role role) {
    if (role > Role::viewer || !caller.made_for.empty()) return;
    caller.made_for = std::exchange(caller.scopes, {});
    const auto& made_for = caller.made_for;
    if (std::find(made_for.begin(), made_for.end(), "read") != made_for.end())
        caller.scopes = {"read"};
}

bool Caller::has(std::string_view scope) const {
    return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

std::optional<SignInSession> open_session(Store& store, const SessionSigner& signer,
                                          const std::string& user_id, bool second_factor) {
    const std::string id = base::new_uuid();
    const std::int64_t issued = now(), expires = issued + kSessionHours * 3600;
    const std::string expires_at = store.transact([&](pqxx::work& tx) {
        tx.exec("delete from session where expires_at < now()");
        // A parallel change of the account (a new factor, an address that is taken back) ends this
        // session, or prevents it.
        const auto held = tx.exec_params(
            "select from account where id = $1 and password_hash is not null for share", user_id);
        if (held.empty()) return std::string();
        const auto rows = tx.exec_params(
            "insert into session (id, user_id, expires_at, second_factor) select "
            "$1::uuid, $2::uuid, to_timestamp($3), $4::boolean where $4::boolean or not "
            "has_factor($2::uuid) returning iso(expires_at)",
            id, user_id, expires, second_factor);
        return std::string(rows.empty() ? "" : rows[0][0].c_str());
    });
    if (expires_at.empty()) return std::nullopt;
    return SignInSession{signer.sign(user_id, id, issued, expires), expires_at};
}

void end_session(Store& store, const std::string& session_id) {
    store.transact(
        [&](pqxx::work& tx) { tx.exec_params("delete from session where id = $1", session_id); });
}

MintedToken mint_token(Store& store, const NewToken& wanted) {
    const std::string value = std::string(kTokenPrefix) + base::base64url(base::random_bytes(32));
    return store.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec_params(
            std::string("insert into token (id, user_id, workspace_id, name, hash, prefix, scopes, "
                        "expires_at) values ($1, $2, $3, $4, $5, $6, $7::jsonb, "
                        "case when $8::int > 0 then now() + make_interval(days => $8::int) end) "
                        "returning ") +
                kTokenColumns,
            base::new_uuid(), wanted.user_id, wanted.workspace_id, wanted.name,
            base::sha256_hex(value), value.substr(0, kTokenPrefix.size() + 6),
            nlohmann::json(wanted.scopes).dump(), wanted.expires_in_days);
        return MintedToken{value, token_record(rows[0])};
    });
}

std::vector<TokenRecord> list_tokens(Store& store, const std::string& user_id) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<TokenRecord> out;
        for (const auto& row :
             tx.exec_params(std::string("select ") + kTokenColumns +
                                " from token where user_id = $1 and revoked_at is null "
                                "order by created_at desc, id desc",
                            user_id))
            out.push_back(token_record(row));
        return out;
    });
}

bool revoke_token(Store& store, const Caller& caller, const std::string& token_id) {
    return store.transact([&](pqxx::work& tx) {
        return tx.exec_params(
                     "update token set revoked_at = now() "
                     "where id = $1 and user_id = $2 and revoked_at is null "
                     "and workspace_id = coalesce(nullif($3, '')::uuid, workspace_id) returning id",
                     token_id, caller.user_id, caller.workspace_id)
                   .size() == 1;
    });
}

Caller authenticate(Store& store, const SessionSigner& signer, std::string_view bearer) {
    if (bearer.starts_with(kTokenPrefix)) return token_caller(store, bearer);
    const auto session = signer.verify(bearer, now());
    return session ? session_caller(store, *session) : Caller{};
}

}  // namespace svc::devapi
