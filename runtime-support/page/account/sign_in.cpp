// Writes the sign-in pages.
#include "page/account/sign_in.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "base/percent.hpp"
#include "page/account/passkey.hpp"
#include "page/account/sign_in_form.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kProviderLabel = 60;

void write_whole_problem(Html& out, const Visit& visit) {
    if (!visit.problems || visit.problems->whole.empty()) return;
    write_notice(out, visit.problems->whole);
}

// Its forms ask for a password or an address.
bool has_password(const Visit& visit, const SignInState& state) {
    return visit.app().auth.password && offers(state, "password");
}
bool has_magic(const Visit& visit, const SignInState& state) {
    return visit.app().auth.magic && offers(state, "magic");
}

std::string with_next(const Visit& visit, std::string_view path) {
    const std::string next = next_of(visit);
    if (next.empty()) return std::string(path);
    return std::string(path) + "?next=" + base::percent_encoded(next);
}

void write_providers(Html& out, const Visit& visit, const SignInState& state) {
    if (state.providers.empty()) return;
    out << "<div class=\"stack\">";
    for (const SignInState::Provider& provider : state.providers) {
        Members members;
        members.set("returnTo", with_next(visit, "/sign-in"));
        out << "<a class=\"button quiet wide\"";
        out.href(std::string(base::kApiPath) + "/auth/oauth/" + base::percent_encoded(provider.id) +
                 "/start?" + members.encoded())
            << ">Continue with " << shortened(provider.label, kProviderLabel) << "</a>";
    }
    out << "</div>";
    if (has_password(visit, state) || has_magic(visit, state)) out << "<p class=\"or\">or</p>";
}

std::string_view provider_refusal(std::string_view code) {
    if (code == "access_denied") return "You did not sign in at your provider.";
    if (code == name(Code::email_not_verified))
        return "Your provider has not confirmed that this address is yours.";
    if (code == name(Code::account_disabled)) return "This account is disabled.";
    if (code == name(Code::signup_invite_only)) return "Accounts here are made by invitation.";
    if (code == name(Code::signup_disabled)) return "This app does not accept new accounts.";
    return "The sign-in at your provider did not work. Try again.";
}

// A passkey is both factors in one, so it signs in by itself.
void write_own_passkey(Html& out, const Visit& visit, const SignInState& state,
                       std::string_view look) {
    if (!visit.app().auth.passkey || !offers(state, "passkey")) return;
    open_passkey_form(out, "login", "");
    write_number(out, state.block);
    write_next(out, visit);
    close_sign_in_form(out, "passkey", "Use a passkey", look);
}

void write_factor(Html& out, const Visit& visit, const SignInState& state) {
    if (state.passkey) {
        out << "<p>Show your passkey to go on.</p><p class=\"hint without-passkeys\">Passkeys need "
               "a browser that runs scripts and knows them.</p>";
        write_own_passkey(out, visit, state, state.code ? "quiet" : "primary");
    }
    if (!state.code) return;
    open_sign_in_form(out, visit, state);
    out << "<input type=\"hidden\" name=\"pending\"";
    out.attribute("value", state.pending)
        << "><p class=\"hint\">Write the code of your authenticator app, or a backup code.</p>";
    write_line(out, visit, {"code", "Code", "text", "one-time-code", true});
    close_sign_in_form(out, "factor", "Continue", "primary");
}

// Writes the page after the return from a provider. Only its button signs in.
void write_return(Html& out, const Visit& visit, const SignInState& state) {
    open_sign_in_form(out, visit, state);
    out << "<input type=\"hidden\" name=\"code\"";
    out.attribute("value", visit.query.text("code")) << "><p>Your provider knows you.</p>";
    close_sign_in_form(out, "oauth", "Sign in", "primary");
}

void write_sign_in(Html& out, const Visit& visit, const SignInState& state) {
    const Auth& auth = visit.app().auth;
    const bool password = has_password(visit, state), magic = has_magic(visit, state);
    if (visit.query.has("oauthError") && !visit.problems)
        write_notice(out, provider_refusal(visit.query.text("oauthError")));
    write_providers(out, visit, state);
    if (password || magic) {
        open_sign_in_form(out, visit, state);
        write_line(out, visit, {"email", "E-mail", "email", "username", !visit.problems});
        if (password) {
            write_line(out, visit, {"password", "Password", "password", "current-password"});
            out << "<button class=\"button primary wide\" name=\"_do\" value=\"login\">Sign "
                   "in</button>";
        }
        if (magic)
            close_sign_in_form(out, "magic", "Mail me a link to sign in",
                               password ? "quiet" : "primary");
        else
            out << "</form>";
    }
    const bool others = password || magic || !state.providers.empty();
    write_own_passkey(out, visit, state, others ? "quiet" : "primary");
    if (!others && auth.passkey)
        out << "<p class=\"hint without-passkeys\">You sign in here with a passkey, which needs a "
               "browser that runs scripts and knows passkeys.</p>";
    out << "<div class=\"between\">";
    if (password) {
        out << "<a";
        out.href("/reset") << ">Forgot your password?</a>";
    }
    if (state.signup && auth.signup == SignupPolicy::open) {
        out << "<span>No account yet? <a";
        out.href(with_next(visit, "/sign-up")) << ">Sign up</a></span>";
    }
    out << "</div>";
}

void write_personas(Html& out, const Visit& visit) {
    std::vector<const Persona*> offered;
    for (const Persona& persona : visit.app().personas)
        if (persona.signup) offered.push_back(&persona);
    if (offered.size() < 2) return;
    out << "<div class=\"field\"><label for=\"f-persona\">I am</label><select id=\"f-persona\" "
           "name=\"persona\">";
    for (const Persona* persona : offered) {
        out << "<option";
        out.attribute("value", persona->id);
        if (visit.form.text("persona") == persona->id) out << " selected";
        out << ">" << persona->label << "</option>";
    }
    out << "</select></div>";
}

void write_sign_up(Html& out, const Visit& visit, const SignInState& state) {
    const Auth& auth = visit.app().auth;
    if (auth.signup != SignupPolicy::open) {
        out << "<p>Accounts here are made by invitation.</p><div class=\"between\"><a "
               "href=\"/sign-in\">Sign in</a></div>";
        return;
    }
    write_providers(out, visit, state);
    open_sign_in_form(out, visit, state);
    write_line(out, visit, {"name", "Name", "text", "name", false, true});
    write_line(out, visit, {"email", "E-mail", "email", "username"});
    if (auth.password) {
        SignInField line{"password", "Password", "password", "new-password"};
        line.hint = "At least " + std::to_string(auth.min_password) + " characters.";
        write_line(out, visit, line);
    }
    write_personas(out, visit);
    close_sign_in_form(out, "signup", "Create account", "primary");
    out << "<div class=\"between\"><span>You have an account? <a";
    out.href(with_next(visit, "/sign-in")) << ">Sign in</a></span></div>";
}

void write_reset(Html& out, const Visit& visit, const SignInState& state) {
    open_sign_in_form(out, visit, state);
    out << "<p class=\"hint\">You get a mail with a link to choose a new password.</p>";
    write_line(out, visit, {"email", "E-mail", "email", "username", true});
    close_sign_in_form(out, "reset", "Send the link", "primary");
    out << "<div class=\"between\"><a href=\"/sign-in\">Back to sign in</a></div>";
}

std::string_view title_of(const SignInState& state) {
    if (!state.mailed.empty()) return "Check your mail";
    if (!state.pending.empty()) return "One more step";
    if (state.kind == SignInKind::sign_up) return "Create an account";
    return state.kind == SignInKind::reset ? "Choose a new password" : "Sign in";
}

}  // namespace

bool offers(const SignInState& state, std::string_view method) {
    return state.methods.empty() || std::ranges::find(state.methods, method) != state.methods.end();
}

Task<> read_providers(Visit& visit, SignInState& state) {
    if (visit.signed_in() || state.kind == SignInKind::reset || !state.pending.empty()) co_return;
    const Answer answer = co_await visit.api.get("/auth/oauth/providers", Members());
    const Json* providers = answer.ok() ? answer.body.find("providers") : nullptr;
    if (!providers) co_return;
    for (const Json& one : providers->items) {
        std::string id = one.text_of("id");
        if (offers(state, "oidc:" + id))
            state.providers.push_back({std::move(id), one.text_of("label")});
    }
}

void write_sign_in_forms(Html& out, const Visit& visit, const SignInState& state) {
    write_whole_problem(out, visit);
    if (!state.mailed.empty()) {
        out << "<p>" << state.mailed << "</p>";
        return;
    }
    if (!state.pending.empty()) return write_factor(out, visit, state);
    if (state.kind == SignInKind::sign_up) return write_sign_up(out, visit, state);
    if (state.kind == SignInKind::reset) return write_reset(out, visit, state);
    if (visit.query.has("code") && !visit.problems) return write_return(out, visit, state);
    write_sign_in(out, visit, state);
}

Task<> answer_sign_in_page(Visit& visit, SignInKind kind) {
    SignInState state{.kind = kind};
    if (visit.exchange.head().method == "POST" &&
        co_await enter(visit, state) == Progress::answered)
        co_return;
    co_await read_providers(visit, state);
    Frame frame{.title = std::string(title_of(state)), .narrow = true};
    write_sign_in_forms(frame.body, visit, state);
    answer_page(visit, visit.problems ? 422 : 200, frame);
}

}  // namespace svc::page
