// Joining a workspace: the page behind an invitation's link, and the same for who has a session.
//
// The page has neither scripts nor cookies, like that of `svc login`: who joins gives a password.
#include "routes/account/join.hpp"

#include "auth/password/argon2.hpp"
#include "http/fields.hpp"
#include "http/text.hpp"
#include "platform/workspace/invitations.hpp"
#include "routes/account/page.hpp"
#include "routes/project/share_keys.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

using http::escape_html;

constexpr const char* kJoinTitle = "svc: join a workspace";
constexpr const char* kJoinAction = "POST /join";
constexpr const char* kLinks = "setup";  // guesses of links, counted like an account
constexpr std::size_t kLeastCharacters = 8, kMostPasswordBytes = 800;

struct JoinForm {
    std::string token, password;
    bool anew = false;  // the account of this address is somebody else's
    bool is_form = false;
};

std::string form_of(const Invitation& invitation, const std::string& token,
                    std::string_view complaint) {
    const std::string hidden =
        "<form method=\"post\" action=\"/join\"><input type=\"hidden\" name=\"token\" value=\"" +
        escape_html(token) + "\">";
    std::string out =
        "<h1>Join a workspace</h1><p>" + escape_html(invitation.inviter) + " asks <b>" +
        escape_html(invitation.email) + "</b> to work in <b>" +
        escape_html(invitation.workspace_name) + "</b> as " + std::string(name(invitation.role)) +
        ".</p>" + alert(complaint) + hidden +
        "<label>The password of your account here, or a new password if you have no account yet "
        "(at least 8 characters)<input type=\"password\" name=\"password\" "
        "autocomplete=\"current-password\" minlength=\"8\" required></label><button "
        "name=\"action\" value=\"join\">Join</button></form>";
    if (!invitation.mailed)
        return out +
               "<p>If your password is refused and you never created an account here, somebody "
               "else has used your address. Ask the operator of this service.</p>";
    return out +
           "<h2>Is the account not yours?</h2><p>If somebody else created an account with your "
           "address, or gave you its password, you can replace it. Nobody can sign in to the old "
           "account any more, and you join with a new one.</p>" +
           hidden +
           "<label>A password for your own account<input type=\"password\" name=\"password\" "
           "autocomplete=\"new-password\" minlength=\"8\" required></label><button name=\"action\" "
           "value=\"anew\">Create my own account and join</button></form>";
}

// Answers in the form of the request. `invitation` null: no invitation was found, so the page
// offers no second try.
void refuse_join(const JoinForm& form, const Invitation* invitation, AnyCode code,
                 const std::string& complaint, Response& response) {
    const int status = invitation ? code.status : 404;
    if (form.is_form)
        return page(response, status, kJoinTitle,
                    invitation ? form_of(*invitation, form.token, complaint) : alert(complaint));
    if (invitation) return response.refuse(code, complaint);
    response.refuse(status, complaint);
}

void refuse_link(const JoinForm& form, Response& response) {
    refuse_join(form, nullptr, Code::not_found,
                "This link is no longer valid. Ask the person who invited you for a new one.",
                response);
}

json joined_json(const JoinResult& joined) {
    return {{"workspace",
             {{"id", joined.invitation.workspace_id},
              {"name", joined.invitation.workspace_name},
              {"role", name(joined.invitation.role)}}}};
}

// The invitation decides whether this is the password of an account or the first one of a new
// account. Nothing: answered.
std::optional<JoinResult> try_password(Context& context, const Request& request,
                                       const JoinForm& form, const Invitation& invitation,
                                       Response& response) {
    const auto account = find_account(context.store, invitation.email);
    const std::string hash = account ? account->password_hash : std::string();
    if (hash.empty())
        return join_anew(context.store, form.token, auth::password::make_hash(form.password));
    if (form.anew && invitation.mailed && !account->proven)
        return join_instead(context.store, form.token, auth::password::make_hash(form.password));
    if (const int seconds = context.throttle.take(invitation.email, request.remote)) {
        context.sign_in_notes.locked_out(kJoinAction, invitation.email, request.remote);
        response.header("Retry-After", std::to_string(seconds));
        refuse_join(form, &invitation, Code::rate_limited, kTooManyTries, response);
        return std::nullopt;
    }
    if (!auth::password::fits_hash(form.password, hash)) {
        context.sign_in_notes.failed(kJoinAction, invitation.email, request.remote);
        refuse_join(form, &invitation, DevCode::unauthenticated,
                    "The password is wrong. This address already has an account.", response);
        return std::nullopt;
    }
    context.throttle.succeeded(invitation.email, request.remote);
    if (context.factors.of(account->id).any()) {
        refuse_join(form, &invitation, Code::mfa_required,
                    "Your account has a second factor, which this page does not take. Join with "
                    "the client: svc members join, and the link.",
                    response);
        return std::nullopt;
    }
    return join_as(context.store, form.token, account->id);
}

void answer_joined(Context& context, const JoinForm& form, const Invitation& invitation,
                   const JoinResult& joined, Response& response) {
    if (joined.result == JoinResult::Result::unknown_link) return refuse_link(form, response);
    if (joined.result == JoinResult::Result::changed)
        return refuse_join(form, &invitation, Code::conflict,
                           "The account with this address has changed in the meantime. Try again.",
                           response);
    forget_keys(context, joined.keys);
    response.workspace_id = joined.invitation.workspace_id;
    response.actor = {Caller::Kind::nobody, joined.account.id, joined.account.email, {}, {}, {}};
    if (form.is_form)
        return page(response, 200, kJoinTitle,
                    "<h1>Done</h1><p>You work in " + escape_html(joined.invitation.workspace_name) +
                        " now. Sign in: <code>svc login --api " +
                        escape_html(context.config.public_url()) + "</code>.</p>");
    json body = joined_json(joined);
    body["user"] = {{"id", joined.account.id}, {"email", joined.account.email}};
    response.send(200, body);
}

// Nothing: answered.
std::optional<JoinForm> read_form(const Request& request, Response& response) {
    JoinForm form;
    form.is_form = request.content_type.starts_with("application/x-www-form-urlencoded");
    if (form.is_form) {
        if (from_another_site(request)) {
            response.refuse(403, kForeignForm);
            return std::nullopt;
        }
        form.token = query_value(request.body, "token");
        form.password = query_value(request.body, "password");
        form.anew = query_value(request.body, "action") == "anew";
        return form;
    }
    Fields fields(request);
    form.token = fields.required_text("token", 1, 200);
    form.password = fields.required_text("password", kLeastCharacters, 200);
    form.anew = fields.boolean("anew").value_or(false);
    if (!fields.good(response)) return std::nullopt;
    return form;
}

void join_with_session(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string token = fields.required_text("token", 1, 200);
    if (!fields.good(response)) return;
    const auto invitation = find_invitation(context.store, token);
    if (!invitation) return response.not_found("Invitation");
    if (invitation->email != request.caller.email)
        return response.refuse(
            DevCode::forbidden_role,
            "This invitation is for another address. Sign in with the invited address.");
    const JoinResult joined = join_as(context.store, token, request.caller.user_id);
    if (joined.result != JoinResult::Result::done) return response.not_found("Invitation");
    response.workspace_id = joined.invitation.workspace_id;
    response.send(200, joined_json(joined));
}

}  // namespace

void show_invitation(Context& context, const Request& request, Response& response) {
    const std::string token = query_value(request.query, "token");
    const auto invitation = find_invitation(context.store, token);
    if (!invitation) return refuse_link({token, {}, false, true}, response);
    page(response, 200, kJoinTitle, form_of(*invitation, token, ""));
}

void take_invitation(Context& context, const Request& request, Response& response) {
    const auto form = read_form(request, response);
    if (!form) return;
    // Hashing is expensive, so guesses of links are limited like guesses of passwords.
    if (const int seconds = context.throttle.take_of_links(kLinks, request.remote)) {
        response.header("Retry-After", std::to_string(seconds));
        return response.refuse(Code::rate_limited, kTooManyTries);
    }
    const auto invitation = find_invitation(context.store, form->token);
    if (!invitation) return refuse_link(*form, response);
    context.throttle.give_back(kLinks, request.remote);
    if (form->password.size() < kLeastCharacters || form->password.size() > kMostPasswordBytes)
        return refuse_join(*form, &*invitation, Code::bad_request, kPasswordLength, response);
    const auto joined = try_password(context, request, *form, *invitation, response);
    if (joined) answer_joined(context, *form, *invitation, *joined, response);
}

std::string link_token(const Request& request) {
    if (request.content_type.starts_with("application/x-www-form-urlencoded"))
        return query_value(request.body, "token");
    const json body = json::parse(request.body, nullptr, false);
    const auto token = body.is_object() ? body.find("token") : body.end();
    return token != body.end() && token->is_string() ? token->get<std::string>() : std::string();
}

void bind_join(RouteTable& pages, RouteTable& table) {
    pages.add({"GET", "/join", Need::nothing, Role::viewer, show_invitation}, {"token"});
    pages.add({"POST", "/join", Need::nothing, Role::viewer, take_invitation});
    table.add({"POST", "/join", Need::session, Role::viewer, join_with_session});
}

}  // namespace svc::devapi
