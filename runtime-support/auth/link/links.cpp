// The requests that are answered by mail: to confirm an address, for a new password, to sign in.
#include "auth/account_store.hpp"
#include "auth/answer.hpp"
#include "auth/body.hpp"
#include "auth/email.hpp"
#include "auth/link/link_token.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/link/previewer.hpp"
#include "auth/messages.hpp"
#include "auth/page.hpp"
#include "auth/session_start.hpp"
#include "http/text.hpp"
#include "identity/command.hpp"

namespace svc::auth::link {
namespace {

constexpr std::string_view kVerified =
    ", changed as (update svc.account a set verified_at = coalesce(verified_at, now()), updated_at "
    "= now()"
    " from used where a.id = used.account_id and a.email = used.email returning a.id),"
    " noted as (insert into svc.audit (event, account_id, address)"
    " select 'email_verified', id, $3::text from changed)"
    " select id from changed";

// A caller who opens a mailed link owns the address, so credentials that were set before are
// removed (svc.proven_password). A demo link was never mailed and proves nothing. The last column
// says whether a password was removed.
constexpr std::string_view kMagicUsed =
    ", changed as (update svc.account a set"
    " verified_at = case when used.data = 'demo' then verified_at else coalesce(verified_at, now())"
    " end, password_hash = case when used.data = 'demo' then password_hash"
    " else svc.proven_password(a) end"
    " from used where a.id = used.account_id and a.email = used.email and not a.disabled"
    " returning a.*)"
    " select u.account_id::text, c.email, c.name, c.persona, c.is_admin, c.password_hash, "
    "c.disabled, true, u.data, b.password_hash is not null and c.password_hash is null"
    " from used u left join changed c on true left join svc.account b on b.id = c.id";

// The account, or only its id if it is disabled or its address has changed since.
class UsedBy : public db::RowSink {
  public:
    void row(const Row& row) override {
        demo = row.text(8) == "demo";
        password_ended = row.text(9) == "t";
        if (!row.null(1)) account_row.row(row);
    }
    identity::AccountRow account_row;
    bool demo = false;
    bool password_ended = false;
};

// {email}, and the constant answer.
Task<Done> ask_for(Call& call, const LinkKind& kind) {
    const auto body = read_texts(call.exchange.body(), {"email"});
    if (!body) co_return body.error();
    const auto email = normalised_email(text(*body, "email"));
    if (!email) co_return identity::refusal(Code::invalid_email, kInvalidEmail, "email");
    if (auto fit = take_mail(call, *email); !fit) co_return fit.error();
    const Done mailed = co_await mail_link(call, kind, *email);
    if (!mailed) co_return mailed.error();
    answer_ok(call.exchange);
    co_return Done();
}

Task<Done> verify_request(Call& call) { co_return co_await ask_for(call, kVerifyLink); }

// Without passwords the link itself signs the user in.
Task<Done> reset_request(Call& call) {
    const Entry entry = entry_of(call.in.app.auth);
    if (entry == Entry::none) co_return no_passwords();
    co_return co_await ask_for(call, entry == Entry::password ? kResetLink : kMagicLink);
}

Task<Done> magic_request(Call& call) {
    if (!call.in.app.auth.magic)
        co_return identity::refusal(Code::not_found,
                                    "This app does not offer sign-in by mailed links.");
    co_return co_await ask_for(call, kMagicLink);
}

identity::Result<std::string> token_of(const Call& call) {
    return shown_token(http::query_param(call.exchange.head().query, "token").value);
}

Task<Done> verify_confirm(Call& call) {
    if (only_looks(call.exchange.head())) {
        answer_look(call);
        co_return Done();
    }
    const auto hash = token_of(call);
    if (!hash) co_return hash.error();
    const std::string sql = using_token(kVerified);
    const db::Param params[] = {*hash, base::word(kVerifyLink.purpose), call.exchange.remote()};
    const db::Command command = identity::command("svc_verify", sql, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return co_await why_not(call.in, *hash, kVerifyLink.purpose);
    if (!redirect_to_app(call, "verified=1"))
        call.exchange.reply().body = R"({"ok":true,"verified":true})";
    co_return Done();
}

// The answer says if a password that somebody set earlier was removed.
void answer_magic(Call& call, bool password_ended) {
    const bool sent = redirect_to_app(call, "magic=1");
    std::string& body = call.exchange.reply().body;
    if (!sent && password_ended) body.insert(body.size() - 1, R"(,"passwordEnded":true)");
}

// The sign-in goes on at the page of the app that asks for codes.
void answer_factor(const Call& call, const SignInResult& started) {
    if (!call.in.app.site) return;  // there is none
    if (!started.code) {
        answer_page(
            call, "One more step",
            "<p>This account has a passkey, and asks for it. It signs you in by itself.</p>" +
                button_to(call, "/sign-in", "Go to the sign-in"));
        return;
    }
    answer_page(
        call, "One more step",
        "<form method=\"post\" action=\"" + http::escape_html(call.in.settings.origin) +
            "/sign-in\"><input type=\"hidden\" name=\"pending\" value=\"" +
            http::escape_html(started.pending) +
            "\"><label for=\"code\">Code</label><input id=\"code\" name=\"code\" "
            "autocomplete=\"one-time-code\" autofocus><p class=\"hint\">Write the code of your "
            "authenticator app, or a backup code.</p><button class=\"button\" name=\"_do\" "
            "value=\"factor\">Continue</button></form>",
        kOwnReferrer);
}

// A demo link comes from who builds the app, in its dev environment: no second factor is asked for.
Task<identity::Result<SignInResult>> start_by_link(const Call& call,
                                                   const identity::Account& account, bool demo) {
    if (demo) co_return co_await begin_session(call, account, "demo", true);
    co_return co_await start_session(call, account, "magic");
}

Task<Done> magic_consume(Call& call) {
    if (only_looks(call.exchange.head())) {
        answer_look(call);
        co_return Done();
    }
    const auto hash = token_of(call);
    if (!hash) co_return hash.error();
    const std::string sql = using_token(kMagicUsed);
    const db::Param params[] = {*hash, base::word(kMagicLink.purpose)};
    UsedBy used;
    const db::Command command = identity::command("svc_magic", sql, params, &used);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return co_await why_not(call.in, *hash, kMagicLink.purpose);
    if (!used.account_row.account)
        co_return identity::refusal(Code::user_not_found,
                                    "The account of this link was deleted or disabled.");
    const identity::Account& account = *used.account_row.account;
    const auto started = co_await start_by_link(call, account, used.demo);
    if (!started) co_return started.error();
    if (!started->token.empty())
        answer_magic(call, used.password_ended);
    else if (in_browser(call.exchange.head()))
        answer_factor(call, *started);
    co_return Done();
}

constexpr std::string_view kLinkParams[] = {"token", "go"};

constexpr AuthRoute kLinkRoutes[] = {
    {Method::post, "/auth/verify/request", Need::key, verify_request},
    {Method::get, "/auth/verify/confirm", Need::nothing, verify_confirm, kLinkParams},
    {Method::post, "/auth/reset/request", Need::key, reset_request},
    {Method::post, "/auth/magic/request", Need::key, magic_request},
    {Method::get, "/auth/magic/consume", Need::nothing, magic_consume, kLinkParams},
};

}  // namespace

std::span<const AuthRoute> routes() { return kLinkRoutes; }

}  // namespace svc::auth::link
