#include "page/sign_in.hpp"

#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/icons.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kMailed =
    "If this address has an account, a mail is on its way. Its link works once.";

void write_problem(Html& out, const Visit& visit, std::string_view field) {
    if (!visit.problems) return;
    const std::string_view words = visit.problems->of(field);
    if (words.empty()) return;
    out << "<p class=\"problem\"";
    out.attribute("id", "f-" + std::string(field) + "-problem") << ">" << words << "</p>";
}

struct Line {
    std::string_view name, label, type, complete;
    bool focus = false;
    bool optional = false;
};

void write_line(Html& out, const Visit& visit, const Line& line) {
    const bool wrong = visit.problems && !visit.problems->of(line.name).empty();
    out << "<div class=\"field" << (wrong ? std::string_view(" wrong") : std::string_view())
        << "\"><label";
    out.attribute("for", "f-" + std::string(line.name)) << ">" << line.label;
    if (line.optional) out << " <span class=\"optional\">optional</span>";
    out << "</label><input";
    out.attribute("id", "f-" + std::string(line.name))
        .attribute("name", line.name)
        .attribute("type", line.type)
        .attribute("autocomplete", line.complete);
    if (line.type != "password") out.attribute("value", visit.form.text(line.name));
    if (wrong) {
        out << " aria-invalid=\"true\"";
        out.attribute("aria-describedby", "f-" + std::string(line.name) + "-problem");
    }
    if (line.focus) out << " autofocus";
    out << ">";
    write_problem(out, visit, line.name);
    out << "</div>";
}

void open_form(Html& out, const Visit& visit, const Entrance& entrance) {
    out << "<form method=\"post\" class=\"fields\" novalidate>";
    write_number(out, entrance.block);
    const std::string next = next_of(visit);
    if (next.empty()) return;
    out << "<input type=\"hidden\" name=\"next\"";
    out.attribute("value", next) << ">";
}

// `act` says what the form is for; the button's own words follow.
void close_form(Html& out, std::string_view act, std::string_view words, std::string_view look) {
    out << "<button class=\"button " << look << " wide\" name=\"_do\"";
    out.attribute("value", act) << ">" << words << "</button></form>";
}

void write_whole_problem(Html& out, const Visit& visit) {
    if (!visit.problems || visit.problems->whole.empty()) return;
    write_notice(out, visit.problems->whole);
}

void write_providers(Html& out, const Visit& visit) {
    const Auth& auth = visit.app().auth;
    if (auth.providers.empty()) return;
    out << "<div class=\"stack\">";
    for (const SignInProvider& provider : auth.providers) {
        Members members;
        const std::string next = next_of(visit);
        members.set("returnTo",
                    next.empty() ? "/sign-in" : "/sign-in?next=" + base::percent_encoded(next));
        out << "<a class=\"button quiet wide\"";
        out.href("/__svc/auth/oauth/" + base::percent_encoded(provider.id) + "/start?" +
                 members.encoded())
            << ">Continue with " << provider.label << "</a>";
    }
    out << "</div>";
    if (auth.password || auth.magic) out << "<p class=\"or\">or</p>";
}

std::string with_next(const Visit& visit, std::string_view path) {
    const std::string next = next_of(visit);
    if (next.empty()) return std::string(path);
    return std::string(path) + "?next=" + base::percent_encoded(next);
}

void write_factor(Html& out, const Visit& visit, const Entrance& entrance) {
    open_form(out, visit, entrance);
    out << "<input type=\"hidden\" name=\"pending\"";
    out.attribute("value", entrance.pending)
        << "><p class=\"hint\">Write the code of your authenticator app, or a backup code.</p>";
    write_line(out, visit, {"code", "Code", "text", "one-time-code", true});
    close_form(out, "factor", "Continue", "primary");
}

// Somebody comes back from a provider: pressing the button is what signs in.
void write_return(Html& out, const Visit& visit, const Entrance& entrance) {
    open_form(out, visit, entrance);
    out << "<input type=\"hidden\" name=\"code\"";
    out.attribute("value", visit.query.text("code")) << "><p>Your provider knows you.</p>";
    close_form(out, "oauth", "Sign in", "primary");
}

void write_sign_in(Html& out, const Visit& visit, const Entrance& entrance) {
    const Auth& auth = visit.app().auth;
    if (visit.query.has("oauthError") && !visit.problems)
        write_notice(out, "The sign-in at your provider did not work. Try again.");
    write_providers(out, visit);
    if (auth.password || auth.magic) {
        open_form(out, visit, entrance);
        write_line(out, visit, {"email", "E-mail", "email", "username", !visit.problems});
        if (auth.password) {
            write_line(out, visit, {"password", "Password", "password", "current-password"});
            out << "<button class=\"button primary wide\" name=\"_do\" value=\"login\">Sign "
                   "in</button>";
        }
        if (auth.magic)
            close_form(out, "magic", "Mail me a link to sign in",
                       auth.password ? "quiet" : "primary");
        else
            out << "</form>";
    }
    out << "<div class=\"between\">";
    if (auth.password) {
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
    write_providers(out, visit);
    open_form(out, visit, entrance);
    write_line(out, visit, {"name", "Name", "text", "name", false, true});
    write_line(out, visit, {"email", "E-mail", "email", "username"});
    if (auth.password) {
        write_line(out, visit, {"password", "Password", "password", "new-password"});
        out << "<p class=\"hint\">At least " << std::size_t{auth.min_password}
            << " characters.</p>";
    }
    write_personas(out, visit);
    close_form(out, "signup", "Create account", "primary");
    out << "<div class=\"between\"><span>You have an account? <a";
    out.href(with_next(visit, "/sign-in")) << ">Sign in</a></span></div>";
}

void write_reset(Html& out, const Visit& visit, const Entrance& entrance) {
    open_form(out, visit, entrance);
    out << "<p class=\"hint\">You get a mail with a link to choose a new password.</p>";
    write_line(out, visit, {"email", "E-mail", "email", "username", true});
    close_form(out, "reset", "Send the link", "primary");
    out << "<div class=\"between\"><a href=\"/sign-in\">Back to sign in</a></div>";
}

void tell(Visit& visit, const Answer& answer) {
    Problems problems;
    const std::string field = answer.error("field");
    const std::string code = answer.error("code");
    std::string message = answer.error("message");
    if (code == "EMAIL_TAKEN") message = "This address has an account already. Sign in.";
    if (code == "INVALID_EMAIL") message = "This is not a valid e-mail address.";
    if (code == "MISSING_QUERY" || message.empty()) message = "This did not work. Try again.";
    if (field == "email" || field == "password" || field == "name" || field == "code")
        problems.fields.emplace_back(field, message);
    else
        problems.whole = message;
    visit.problems = std::move(problems);
}

void tell(Visit& visit, std::string_view field, std::string words) {
    if (!visit.problems) visit.problems.emplace();
    visit.problems->fields.emplace_back(field, std::move(words));
}

// What a sign-in came to: a session, or what is still to be shown.
bool entered(Visit& visit, Entrance& entrance, const Answer& answer) {
    if (!answer.ok()) {
        tell(visit, answer);
        return false;
    }
    if (const Json* needs = answer.body.find("needsMfa"); needs && needs->text == "true") {
        entrance.pending = answer.body.text_of("pending");
        visit.problems.reset();
        return false;
    }
    if (const Json* pending = answer.body.find("pending"); pending && pending->text == "true") {
        entrance.mailed = "Look into your mail: its link confirms the address and lets you in.";
        return false;
    }
    visit.exchange.reply().extra_headers += answer.cookies;
    const Json* enrol = answer.body.find("mfaEnrollRequired");
    std::string next = next_of(visit);
    if (next.empty()) next = entrance.then.empty() ? "/" : entrance.then;
    if (enrol && enrol->text == "true") next = "/account";
    go_on(visit, next, enrol ? "" : "in");
    return true;
}

Task<bool> login(Visit& visit, Entrance& entrance) {
    if (visit.form.text("email").empty()) tell(visit, "email", "Fill in your e-mail.");
    if (visit.form.text("password").empty()) tell(visit, "password", "Fill in your password.");
    if (visit.problems) co_return false;
    std::string body =
        body_of({{"email", visit.form.text("email")}, {"password", visit.form.text("password")}});
    const Answer answer =
        co_await visit.api.send("POST", "/auth/login", std::move(body), std::string());
    co_return entered(visit, entrance, answer);
}

Task<bool> sign_up(Visit& visit, Entrance& entrance) {
    if (visit.form.text("email").empty()) tell(visit, "email", "Fill in your e-mail.");
    const bool password = visit.app().auth.password;
    if (password && visit.form.text("password").empty())
        tell(visit, "password", "Choose a password.");
    if (visit.problems) co_return false;
    std::string body = body_of(
        {{"email", visit.form.text("email")},
         {"name", visit.form.text("name")},
         {password ? "password" : "", visit.form.text("password")},
         {visit.form.text("persona").empty() ? "" : "persona", visit.form.text("persona")}});
    const Answer answer =
        co_await visit.api.send("POST", "/auth/signup", std::move(body), std::string());
    co_return entered(visit, entrance, answer);
}

Task<bool> ask_mail(Visit& visit, Entrance& entrance, std::string path) {
    if (visit.form.text("email").empty()) {
        tell(visit, "email", "Fill in your e-mail.");
        co_return false;
    }
    std::string body = body_of({{"email", visit.form.text("email")}});
    const Answer answer =
        co_await visit.api.send("POST", std::move(path), std::move(body), std::string());
    if (answer.ok())
        entrance.mailed = kMailed;
    else
        tell(visit, answer);
    co_return false;
}

std::string_view title_of(const Entrance& entrance) {
    if (!entrance.mailed.empty()) return "Look into your mail";
    if (!entrance.pending.empty()) return "One more step";
    if (entrance.door == Door::sign_up) return "Create an account";
    return entrance.door == Door::reset ? "Choose a new password" : "Sign in";
}

}  // namespace

std::string body_of(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    std::string out = "{";
    for (const auto& [name, value] : members) {
        if (name.empty()) continue;
        if (out.size() > 1) out += ',';
        base::append_json(out, name);
        out += ':';
        base::append_json(out, value);
    }
    return out + "}";
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

Task<bool> enter(Visit& visit, Entrance& entrance) {
    const std::string_view act = visit.form.text("_do");
    if (act == "login" || act.empty()) co_return co_await login(visit, entrance);
    if (act == "signup") co_return co_await sign_up(visit, entrance);
    if (act == "magic") co_return co_await ask_mail(visit, entrance, "/auth/magic/request");
    if (act == "reset") co_return co_await ask_mail(visit, entrance, "/auth/reset/request");
    std::string path, body;
    if (act == "oauth") {
        path = "/auth/oauth/complete";
        body = body_of({{"code", visit.form.text("code")}});
    } else {
        entrance.pending = visit.form.text("pending");
        path = "/auth/mfa/verify";
        body = body_of({{"pending", entrance.pending}, {"code", visit.form.text("code")}});
    }
    const Answer answer =
        co_await visit.api.send("POST", std::move(path), std::move(body), std::string());
    // A code that is wrong may be tried again; a sign-in that has expired may not.
    if (answer.error("code") == "INVALID_TOKEN" || answer.error("code") == "TOKEN_USED")
        entrance.pending.clear();
    co_return entered(visit, entrance, answer);
}

Task<> answer_door(Visit& visit, Door door) {
    Entrance entrance{.door = door};
    if (visit.exchange.head().method == "POST" && co_await enter(visit, entrance)) co_return;
    Frame frame{.title = std::string(title_of(entrance)), .narrow = true};
    write_entrance(frame.body, visit, entrance);
    answer_page(visit, visit.problems ? 422 : 200, frame);
}

Task<> leave(Visit& visit) {
    const Answer answer =
        co_await visit.api.send("POST", "/auth/logout", std::string(), std::string());
    visit.exchange.reply().extra_headers += answer.cookies;
    if (answer.ok())
        go_on(visit, "/", "out");
    else
        answer_problem(visit, 503, "You are still signed in",
                       "The sign-out did not work right now. Try again in a moment.");
}

}  // namespace svc::page
