// Signing in and out, and who the caller is.
#include "auth/password/argon2.hpp"
#include "common/embedded.hpp"
#include "http/fields.hpp"
#include "json/value.hpp"
#include "platform/account/accounts.hpp"
#include "platform/factor/factor_steps.hpp"
#include "routes/account/second_factor.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

json workspaces_json(const std::vector<Membership>& memberships, const std::string& only) {
    json out = json::array();
    for (const auto& member : memberships) {
        if (!only.empty() && only != member.workspace_id) continue;
        out.push_back({{"id", member.workspace_id},
                       {"name", member.workspace_name},
                       {"role", name(member.role)}});
        if (member.demands_factor) out.back()["requireMfa"] = true;
    }
    return out;
}

// An unknown account takes as long as a known one, so the time does not show which addresses exist.
bool password_fits(const std::optional<Account>& account, const std::string& password) {
    return auth::password::fits_hash(password, account ? account->password_hash : std::string());
}

void answer_session(Context& context, const Account& account, bool second_factor,
                    Response& response) {
    const auto session = open_session(context.store, context.signer, account.id, second_factor);
    if (!session)
        return response.refuse(DevCode::unauthenticated,
                               "The account has changed in the meantime. Sign in again.");
    response.send(200,
                  {{"token", session->token},
                   {"expiresAt", session->expires_at},
                   {"user", {{"id", account.id}, {"email", account.email}}},
                   {"workspaces", workspaces_json(memberships(context.store, account.id), "")}});
}

void answer_asked(const FactorChallenge& asked, Response& response) {
    json methods = json::array();
    if (asked.totp) methods.push_back("totp");
    if (!asked.passkey_options.empty()) methods.push_back("passkey");
    json answer = {{"needsMfa", true},
                   {"pending", asked.pending},
                   {"expiresIn", kFactorSeconds},
                   {"methods", std::move(methods)}};
    if (!asked.passkey_options.empty())
        answer["passkeyOptions"] = json::parse(asked.passkey_options);
    response.send(200, answer);
}

void sign_in(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string email = normal_email(fields.required_text("email", 1, 254));
    const std::string password = fields.required_text("password", 1, 200);
    if (!fields.good(response)) return;
    if (const int seconds = context.throttle.take(email, request.remote)) {
        context.sign_in_notes.locked_out("POST /session", email, request.remote);
        response.header("Retry-After", std::to_string(seconds));
        return response.refuse(Code::rate_limited, "Too many failed sign-ins. Wait and try again.");
    }
    const auto account = find_account(context.store, email);
    if (!password_fits(account, password)) {
        context.sign_in_notes.failed("POST /session", email, request.remote);
        return response.refuse(DevCode::unauthenticated, "E-mail or password is wrong.");
    }
    context.throttle.succeeded(email, request.remote);
    response.actor = {Caller::Kind::nobody, account->id, account->email, {}, {}, {}};
    if (const auto asked = ask_factor(context, *account)) return answer_asked(*asked, response);
    answer_session(context, *account, false, response);
}

// {pending, code} or {pending, passkey}
void sign_in_with_factor(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    FactorResponse shown;
    shown.pending = fields.required_text("pending", 1, 200);
    shown.code = fields.text("code", 1, 40).value_or("");
    if (!fields.has("code") && !fields.has("passkey"))
        fields.wrong("code", "Is required, unless \"passkey\" is sent.");
    if (!fields.good(response)) return;
    if (fields.has("passkey")) {
        const auto body = svc::json::parse(request.body);
        const auto passkey = auth::passkey::read_credential(body.value.find("passkey"),
                                                            auth::passkey::Ceremony::get);
        if (!passkey) return refuse_factor(passkey.error(), response);
        shown.passkey = *passkey;
    }
    const FactorResult end = verify_factor(context, shown, request.remote);
    if (end.retry_after > 0) response.header("Retry-After", std::to_string(end.retry_after));
    if (!end.account) {
        note_failed_factor(context, "POST /session/mfa", end, request.remote);
        return response.refuse(end.code, end.message);
    }
    response.actor = {Caller::Kind::nobody, end.account->id, end.account->email, {}, {}, {}};
    answer_session(context, *end.account, true, response);
}

void sign_out(Context& context, const Request& request, Response& response) {
    end_session(context.store, request.caller.credential_id);
    response.send(200, {{"ended", true}});
}

void me(Context& context, const Request& request, Response& response) {
    const Caller& caller = request.caller;
    response.send(200, {{"userId", caller.user_id},
                        {"email", caller.email},
                        {"auth", caller.kind == Caller::Kind::token ? "pat" : "session"},
                        {"scopes", caller.scopes},
                        {"workspaces", workspaces_json(memberships(context.store, caller.user_id),
                                                       caller.workspace_id)}});
}

void docs(Context&, const Request&, Response& response) {
    response.content_type = "text/markdown; charset=utf-8";
    response.body = embedded("contract-guide.md");
}

}  // namespace

void bind_account(RouteTable& table) {
    table.add({"POST", "/session", Need::nothing, Role::viewer, sign_in});
    table.add({"POST", "/session/mfa", Need::nothing, Role::viewer, sign_in_with_factor});
    table.add({"DELETE", "/session", Need::session, Role::viewer, sign_out});
    table.add({"GET", "/me", Need::any, Role::viewer, me});
    table.add({"GET", "/docs", Need::any, Role::viewer, docs});
}

}  // namespace svc::devapi
