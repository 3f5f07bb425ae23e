#include "auth/oidc/oauth_code.hpp"

#include <algorithm>

#include "auth/body.hpp"
#include "auth/link/link_token.hpp"
#include "auth/session_start.hpp"
#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/token.hpp"
#include "identity/user/account.hpp"

namespace svc::auth::oidc {
namespace {

constexpr std::string_view kDoneCookie = "svc_oauth_done";
constexpr std::int64_t kDoneSeconds = 120;

constexpr std::string_view kCodeMake =
    "insert into svc.token (hash, purpose, account_id, data, expires_at)"
    " values ($1::bytea, 'oauth_code', $2::uuid, $3::text, now() + interval '2 minutes')";

constexpr std::string_view kCodeUse =
    " select a.id::text, a.email, a.name, a.persona, a.is_admin, a.password_hash, a.disabled, "
    "true, u.data"
    " from used u join svc.account a on a.id = u.account_id where not a.disabled";

// Browsers say where a call comes from; programs, which nobody leads anywhere, do not.
bool is_browsers_own(const http::Head& head, std::string_view hash) {
    if (head.header("sec-fetch-site").empty()) return true;
    const std::string_view secret = identity::own_cookie(head, kDoneCookie, "/");
    return base::base64url(base::sha256(secret)) == hash;
}

}  // namespace

Task<identity::Result<std::string>> make_code(const Call& call, const std::string& account,
                                              const std::string& how) {
    const link::LinkToken code;
    const std::string secret = identity::random_token("");
    add_cookie(call, kDoneCookie, secret, "/", kDoneSeconds);
    const std::string data = how + ' ' + base::base64url(base::sha256(secret));
    const db::Param params[] = {code.hash, account, data};
    const db::Command command = identity::command("svc_oauth_code", kCodeMake, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return code.value;
}

Task<Done> oauth_complete(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"code"});
    if (!body) co_return body.error();
    const auto hash = link::shown_token(text(*body, "code"));
    if (!hash) co_return hash.error();
    identity::AccountWithText who;
    const std::string sql = link::using_token(kCodeUse);
    const db::Param params[] = {*hash, base::word(link::TokenPurpose::oauth_code)};
    const db::Command command = identity::command("svc_oauth_complete", sql, params, &who);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!who.account)
        co_return co_await link::why_not(call.in, *hash, link::TokenPurpose::oauth_code);
    const auto space = std::min(who.text.find(' '), who.text.size());
    if (!is_browsers_own(call.exchange.head(),
                         std::string_view(who.text).substr(std::min(space + 1, who.text.size()))))
        co_return identity::refusal(
            Code::invalid_token,
            "This sign-in was started in another browser. Start again in this one.");
    const auto started =
        co_await start_session(call, *who.account, std::string_view(who.text).substr(0, space));
    if (!started) co_return started.error();
    co_return Done();
}

}  // namespace svc::auth::oidc
