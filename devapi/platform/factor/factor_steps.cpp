#include "platform/factor/factor_steps.hpp"

#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"

namespace svc::devapi {
namespace {

std::string new_step_value() { return base::base64url(base::random_bytes(32)); }

void add_step(Store& store, const char* kind, const std::string& value, const std::string& user_id,
              const std::string& challenge) {
    store.transact([&](pqxx::work& tx) {
        tx.exec("delete from factor_step where expires_at < now()");
        tx.exec_params0(
            "insert into factor_step (hash, kind, user_id, challenge_hash, expires_at) values ($1, "
            "$2, $3, nullif($4, ''), now() + make_interval(secs => $5::int))",
            base::sha256_hex(value), kind, user_id,
            challenge.empty() ? "" : base::sha256_hex(challenge), kFactorSeconds);
    });
}

// Whether the statement changed a row.
template <class... Values>
bool changed(Store& store, const char* statement, const Values&... values) {
    return store.transact(
        [&](pqxx::work& tx) { return tx.exec_params(statement, values...).affected_rows() > 0; });
}

}  // namespace

PendingSignIn begin_pending(Store& store, const std::string& user_id) {
    PendingSignIn out{new_step_value(), new_step_value()};
    add_step(store, "sign_in", out.value, user_id, out.challenge);
    return out;
}

std::optional<Account> try_pending(Store& store, const std::string& value) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Account> {
        const auto rows = tx.exec_params(
            "update factor_step s set tries = tries + 1 from account a where a.id = s.user_id and "
            "s.hash = $1 and s.kind = 'sign_in' and s.tries < $2 and s.expires_at > now() "
            "returning a.id, a.email",
            base::sha256_hex(value), kFactorTries);
        if (rows.empty()) return std::nullopt;
        return Account{rows[0][0].c_str(), rows[0][1].c_str(), {}};
    });
}

bool take_pending_challenge(Store& store, const std::string& value, const std::string& challenge) {
    return changed(store,
                   "update factor_step set challenge_hash = null where hash = $1 and kind = "
                   "'sign_in' and challenge_hash = $2 and expires_at > now()",
                   base::sha256_hex(value), base::sha256_hex(challenge));
}

bool end_pending(Store& store, const std::string& value) {
    return changed(store,
                   "delete from factor_step where hash = $1 and kind = 'sign_in' and expires_at > "
                   "now()",
                   base::sha256_hex(value));
}

std::string registration_challenge(Store& store, const std::string& user_id) {
    std::string value = new_step_value();
    add_step(store, "register", value, user_id, "");
    return value;
}

bool take_registration_challenge(Store& store, const std::string& user_id,
                                 const std::string& challenge) {
    return changed(store,
                   "delete from factor_step where hash = $1 and kind = 'register' and user_id = $2 "
                   "and expires_at > now()",
                   base::sha256_hex(challenge), user_id);
}

}  // namespace svc::devapi
