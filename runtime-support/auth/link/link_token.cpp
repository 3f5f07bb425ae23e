#include "auth/link/link_token.hpp"

#include "auth/messages.hpp"
#include "base/sha256.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"

namespace svc::auth::link {
namespace {

constexpr std::string_view kState =
    "select used_at is not null from svc.token where hash = $1::bytea and purpose = $2::text"
    " and account_id is not null and (used_at is not null or expires_at > now())";

}  // namespace

LinkToken::LinkToken()
    : value(identity::random_token(kLinkPrefix)), hash(identity::bytea_text(base::sha256(value))) {}

identity::Result<std::string> shown_token(std::string_view value) {
    if (value.empty()) return identity::refusal(Code::missing_token, kNoLinkToken, "token");
    if (!identity::has_token_shape(value, kLinkPrefix))
        return identity::refusal(Code::invalid_token, "This link is not valid.", "token");
    return identity::bytea_text(base::sha256(value));
}

std::string using_token(std::string_view rest) {
    std::string sql = "with used as (update svc.token set used_at = now() where ";
    sql += kUsableToken;
    sql += " returning account_id, email, data)";
    return sql += rest;
}

Task<identity::Refusal> why_not(const Context& in, const std::string& hash, TokenPurpose purpose) {
    const db::Param params[] = {hash, base::word(purpose)};
    db::OneFlag state;
    const db::Command command = identity::command("svc_token_state", kState, params, &state);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (state.set)
        co_return identity::refusal(Code::token_used, "This link was already used.", "token");
    if (outcome.rows > 0)
        co_return identity::refusal(
            purpose == TokenPurpose::magic ? Code::user_not_found : Code::invalid_token,
            "The account of this link is disabled. The link still works "
            "once the account is enabled again.",
            "token");
    co_return identity::refusal(Code::invalid_token, "This link is not valid, or it has expired.",
                                "token");
}

}  // namespace svc::auth::link
