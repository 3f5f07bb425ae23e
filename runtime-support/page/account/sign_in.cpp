// Writes the sign-in pages.
#include "page/account/sign_in.hpp"

#include <algorithm>

#include "base/percent.hpp"
#include "page/account/sign_in_form.hpp"
#include "page/account/passkey.hpp"
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
bool has_password(const Visit& visit, const Entrance& entrance) {
    return visit.app().auth.password && offers(entrance, "password");
}
bool has_magic(const Visit& visit, const Entrance& entrance) {
    return visit.app().auth.magic && offers(entrance, "magic");
}

void write_providers(Html& out, const Visit& visit, const Entrance& entrance) {
    if (entrance.providers.empty()) return;
    out << "<div class=\"stack\">";
    for (const Entrance::Provider& provider : entrance.providers) {
        Members members;
        const std::string next = next_of(visit);
        members.set("returnTo",
                    next.empty() ? "/sign-in" : "/sign-in?next=" + base::percent_encoded(next));
        out << "<a class=\"button quiet wide\"";
        out.href("/__svc/auth/oauth/" + base::percent_encoded(provider.id) + "/start?" +
                 members.encoded())
            << ">Continue with " << shortened(provider.label, kProviderLabel) << "</a>";
    }
    out << "</div>";
    if (has_password(visit, entrance) || has_magic(visit, entrance))
        out << "<p class=\"or\">or</p>";
}

std::string_view provider_refusal(std::string_view code) {
    if (code == "access_denied") return "You did not sign in at your provider.";
    if (code == "EMAIL_NOT_VERIFIED")
        return "Your provider has not confirmed that this address is yours.";
    if (code == "ACCOUNT_DISABLED") return "This account is disabled.";
    if (code == "SIGNUP_INVITE_ONLY") return "Accounts here are made by invitation.";
    if (code == "SIGNUP_DISABLED") return "This app does not accept new accounts.";
    return "The sign-in at your provider did not work. Try again.";
}

std::string with_next(const Visit& visit, std::string_view path) {
    const std::string next = next_of(visit);
    if (next.empty()) return std::string(path);
    return std::string(path) + "?next=" + base::percent_encoded(next);
}

// A passkey is both factors in one, so it signs in by itself.
void write_own_passkey(Html& out, const Visit& visit, const Entrance& entrance,
                       std::string_view look) {
    if (!visit.app().auth.passkey || !offers(entrance, "passkey")) return;
    open_passkey_form(out, "login", "");
    write_number(out, entrance.block);
    write_next(out, visit);
    close_entrance_form(out, "passkey", "Use a passkey", look);
}

void write_factor(Html& out, const Visit& visit, const Entrance& entrance) {
    if (entrance.passkey) {
        out << "<p>Show your passkey to go on.</p><p class=\"hint without-passkeys\">Passkeys need "
               "a browser that runs scripts and knows them.</p>";
        write_own_passkey(out, visit, entrance, entrance.code ? "quiet" : "primary");
    }
    if (!entrance.code) return;
    open_entrance_form(out, visit, entrance);
    out << "<input type=\"hidden\" name=\"pending\"";
    out.attribute("value", entrance.pending)
        << "><p class=\"hint\">Write the code of your authenticator app, or a backup code.</p>";
    write_line(out, visit, {"code", "Code", "text", "one-time-code", true});
    close_entrance_form(out, "factor", "Continue", "primary");
}

// Writes the page after the return from a provider. Only its button signs in.
void write_return(Html& out, const Visit& visit, const Entrance& entrance) {
    open_entrance_form(out, visit, entrance);
    out << "<input type=\"hidden\" name=\"code\"";
    out.attribute("value", visit.query.text("code")) << "><p>Your provider knows you.</p>";
    close_entrance_form(out, "oauth", "Sign in", "primary");
}

void write_sign_in(Html& out, const Visit& visit, const Entrance& entrance) {
    const Auth& auth = visit.app().auth;
    const bool password = has_password(visit, entrance), magic = has_magic(visit, entrance);
    if (visit.query.has("oauthError") && !visit.problems)
        write_notice(out, provider_refusal(visit.query.text("oauthError")));
    write_providers(out, visit, entrance);
    if (password || magic) {
        open_entrance_form(out, visit, entrance);
        write_line(out, visit, {"email", "E-mail", "email", "username", !visit.problems});
        if (password) {
            write_line(out, visit, {"password", "Password", "password", "current-password"});
            out << "<button class=\"button primary wide\" name=\"_do\" value=\"login\">Sign "
                   "in</button>";
        }
        if (magic)
            close_entrance_form(out, "magic", "Mail me a link to sign in",
                                password ? "quiet" : "primary");
        else
            out << "</form>";
    }
    const bool others = password || magic || !entrance.providers.empty();
    write_own_passkey(out, visit, entrance, others ? "quiet" : "primary");
    if (!others && auth.passkey)
        out << "<p class=\"hint without-passkeys\">You sign in here with a passkey, which needs a "
               "browser that runs scripts and knows passkeys.</p>";
    out << "<div class=\"between\">";
    if (password) {
        out << "<a";
        out.href("/reset") << ">Forgot your password?</a>";
    }
    if (entrance.signup && auth.signup == SignupPolicy::open) {
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

void write_sign_up(Html& out, const Visit& visit, const Entrance& entrance) {
    const Auth& auth = visit.app().auth;
    if (auth.signup != SignupPolicy::open) {
        out << "<p>Accounts here are made by invitation.</p><div class=\"between\"><a "
               "href=\"/sign-in\">Sign in</a></div>";
        return;
    }
    write_providers(out, visit, entrance);
    open_entrance_form(out, visit, entrance);
    write_line(out, visit, {"name", "Name", "text", "name", false, true});
    write_line(out, visit, {"email", "E-mail", "email", "username"});
    if (auth.password) {
        EntranceLine line{"password", "Password", "password", "new-password"};
        line.hint = "At least " + std::to_string(auth.min_password) + " characters.";
        write_line(out, visit, line);
    }
    write_personas(out, visit);
    close_entrance_form(out, "signup", "Create account", "primary");
    out << "<div class=\"between\"><span>You have an account? <a";
    out.href(with_next(visit, "/sign-in")) << ">Sign in</a></span></div>";
}

void write_reset(Html& out, const Visit& visit, const Entrance& entrance) {
    open_entrance_form(out, visit, entrance);
    out << "<p class=\"hint\">You get a mail with a link to choose a new password.</p>";
    write_line(out, visit, {"email", "E-mail", "email", "username", true});
    close_entrance_form(out, "reset", "Send the link", "primary");
    out << "<div class=\"between\"><a href=\"/sign-in\">Back to sign in</a></div>";
}

std::string_view title_of(const Entrance& entrance) {
    if (!entrance.mailed.empty()) return "Check your mail";
    if (!entrance.pending.empty()) return "One more step";
    if (entrance.door == Door::sign_up) return "Create an account";
    return entrance.door == Door::reset ? "Choose a new password" : "Sign in";
}

}  // namespace

bool offers(const Entrance& entrance, std::string_view method) {
    return entrance.methods.empty() ||
           std::ranges::find(entrance.methods, method) != entrance.methods.end();
}

Task<> read_providers(Visit& visit, Entrance& entrance) {
    if (visit.signed_in() || entrance.door == Door::reset || !entrance.pending.empty()) co_return;
    const Answer answer = co_await visit.api.get("/auth/oauth/providers", Members());
    const Json* providers = answer.ok() ? answer.body.find("providers") : nullptr;
    if (!providers) co_return;
    for (const Json& one : providers->items) {
        std::string id = one.text_of("id");
        if (offers(entrance, "oidc:" + id))
            entrance.providers.push_back({std::move(id), one.text_of("label")});
    }
}

void write_entrance(Html& out, const Visit& visit, const Entrance& entrance) {
    write_whole_problem(out, visit);
    if (!entrance.mailed.empty()) {
        out << "<p>" << entrance.mailed << "</p>";
        return;
    }
    if (!entrance.pending.empty()) return write_factor(out, visit, entrance);
    if (entrance.door == Door::sign_up) return write_sign_up(out, visit, entrance);
    if (entrance.door == Door::reset) return write_reset(out, visit, entrance);
    if (visit.query.has("code") && !visit.problems) return write_return(out, visit, entrance);
    write_sign_in(out, visit, entrance);
}

Task<> answer_door(Visit& visit, Door door) {
    Entrance entrance{.door = door};
    if (visit.exchange.head().method == "POST" &&
        co_await enter(visit, entrance) == Progress::answered)
        co_return;
    co_await read_providers(visit, entrance);
    Frame frame{.title = std::string(title_of(entrance)), .narrow = true};
    write_entrance(frame.body, visit, entrance);
    answer_page(visit, visit.problems ? 422 : 200, frame);
}

}  // namespace svc::page
