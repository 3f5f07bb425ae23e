#include "platform/account/cli_login.hpp"

#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"

namespace svc::devapi {
namespace {

// The letters of codes: no vowels, which would form words, and no letters that look alike.
constexpr std::string_view kLetters = "BCDFGHJKLMNPQRSTVWXZ";
constexpr std::size_t kHalf = 4;
constexpr const char* kOpen = " and decision is null and expires_at > now()";

std::string new_user_code() {
    std::string code;
    while (code.size() < 2 * kHalf + 1) {
        if (code.size() == kHalf) code += '-';
        const auto byte = static_cast<unsigned char>(base::random_bytes(1)[0]);
        // The greatest multiple of 20 below 256: each letter is as likely.
        if (byte < 240) code += kLetters[byte % kLetters.size()];
    }
    return code;
}

std::string normal_code(const std::string& text) {
    std::string code;
    for (char c : text) {
        c = base::upper(c);
        if (base::is_upper(c)) code += c;
        if (code.size() == kHalf) code += '-';
    }
    return code;
}

}  // namespace

DeviceLogin begin_login(Store& store, const std::string& client, const std::string& address) {
    DeviceLogin login{base::base64url(base::random_bytes(32)), {}};
    store.transact([&](pqxx::work& tx) {
        tx.exec("delete from cli_login where expires_at < now() - interval '1 hour'");
        for (bool made = false; !made;) {
            login.user_code = new_user_code();
            made = !tx.exec_params(
                          "insert into cli_login (id, device_hash, code_hash, client, address, "
                          "expires_at) values ($1, $2, $3, $4, $5, now() + interval '10 minutes') "
                          "on conflict (code_hash) do nothing returning id",
                          base::new_uuid(), base::sha256_hex(login.device_code),
                          base::sha256_hex(login.user_code), client, address)
                        .empty();
        }
    });
    return login;
}

std::optional<PendingLogin> find_pending_login(Store& store, const std::string& user_code) {
    const std::string code = normal_code(user_code);
    return store.transact([&](pqxx::work& tx) -> std::optional<PendingLogin> {
        const auto rows = tx.exec_params(
            std::string("select id, client, address from cli_login where code_hash = $1") + kOpen,
            base::sha256_hex(code));
        if (rows.empty()) return std::nullopt;
        return PendingLogin{rows[0][0].c_str(), rows[0][1].c_str(), rows[0][2].c_str(), code};
    });
}

std::string make_ticket(Store& store, const std::string& login_id, const std::string& user_id,
                        bool second_factor) {
    const std::string value = base::base64url(base::random_bytes(32));
    return store.transact([&](pqxx::work& tx) {
        // As in open_session: the account cannot change between the password and the ticket.
        const auto held = tx.exec_params(
            "select from account where id = $1 and password_hash is not null for share", user_id);
        if (held.empty()) return std::string();
        const auto rows = tx.exec_params(
            std::string("update cli_login set ticket_hash = $2, user_id = $3, expires_at = "
                        "least(expires_at, now() + interval '5 minutes') where id = $1 "
                        "and ($4::boolean or not has_factor($3::uuid))") +
                kOpen + " returning id",
            login_id, base::sha256_hex(value), user_id, second_factor);
        return rows.empty() ? std::string() : value;
    });
}

std::optional<Account> decide(Store& store, const Decision& decision) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Account> {
        const auto rows = tx.exec_params(
            std::string(
                "update cli_login l set decision = $2, workspace_id = nullif($3, '')::uuid "
                "from account a where a.id = l.user_id and ticket_hash = $1 "
                "and ($2 = 'refused' or exists (select from member m where m.user_id = l.user_id "
                "and m.workspace_id = nullif($3, '')::uuid and (has_factor(m.user_id) or not "
                "exists "
                "(select from workspace w where w.id = m.workspace_id and w.require_mfa))))") +
                kOpen + " returning a.id, a.email",
            base::sha256_hex(decision.ticket), decision.approved ? "approved" : "refused",
            decision.approved ? decision.workspace_id : "");
        if (rows.empty()) return std::nullopt;
        return Account{rows[0][0].c_str(), rows[0][1].c_str(), {}};
    });
}

// The row is locked: two polls at once do not both get a token.
Poll poll_login(Store& store, const std::string& device_code) {
    using State = Poll::State;
    return store.transact([&](pqxx::work& tx) -> Poll {
        const auto rows = tx.exec_params(
            "select l.id, coalesce(l.decision, ''), coalesce(l.polled_at > now() - "
            "make_interval(secs => $2::int) + interval '0.5 seconds', false), l.user_id, a.email, "
            "l.workspace_id from cli_login l left join account a on a.id = l.user_id "
            "where l.device_hash = $1 and l.used_at is null and l.expires_at > now() for update of "
            "l",
            base::sha256_hex(device_code), kPollSeconds);
        if (rows.empty()) return {};
        const auto row = rows[0];
        const std::string decision = row[1].c_str();
        if (row[2].as<bool>() && decision.empty()) return {State::too_soon, {}, {}, {}};
        const bool over = !decision.empty();
        tx.exec_params(over ? "update cli_login set used_at = now() where id = $1"
                            : "update cli_login set polled_at = now() where id = $1",
                       row[0].c_str());
        if (!over) return {State::pending, {}, {}, {}};
        if (decision == "refused") return {State::refused, {}, {}, {}};
        return {State::approved, row[3].c_str(), row[4].c_str(), row[5].c_str()};
    });
}

}  // namespace svc::devapi
