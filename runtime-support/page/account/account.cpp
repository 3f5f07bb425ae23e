#include "page/account/account.hpp"

#include "base/percent.hpp"
#include "identity/user/personas.hpp"
#include "page/account/passkey.hpp"
#include "page/account/sign_in.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

// The values that a form of the page sent.
struct Shown {
    bool has_app = false;                   // the account's second factor is an authenticator app
    std::string secret = {}, picture = {};  // of one that is being set up
    std::vector<std::string> codes = {};    // backup codes, shown once
    std::string problem = {};
};

void write_do(Html& out, std::string_view act, std::string_view words, std::string_view look) {
    out << "<button name=\"_do\" class=\"button " << look << "\"";
    out.attribute("value", act) << ">" << words << "</button>";
}

void write_code_form(Html& out, std::string_view act, std::string_view words) {
    out << "<form method=\"post\" class=\"fields\"><div class=\"field\"><label "
           "for=\"code\">Code of your app</label><input id=\"code\" name=\"code\" "
           "inputmode=\"numeric\" autocomplete=\"one-time-code\"></div><div class=\"buttons\">";
    write_do(out, act, words, act == "factor-off" ? "quiet danger-text" : "primary");
    out << "</div></form>";
}

void write_factor(Html& out, const Visit& visit, const Shown& shown) {
    out << "<section><h2>Second factor</h2>";
    if (!shown.codes.empty()) {
        out << "<p>It is on. Keep these backup codes: each works once, and they are not shown "
               "again.</p><ul class=\"codes\">";
        for (const std::string& code : shown.codes) out << "<li>" << code << "</li>";
        out << "</ul>";
    } else if (!shown.secret.empty()) {
        out << "<p>Scan this with an authenticator app, or type the key <code>" << shown.secret
            << "</code>.</p><div class=\"qr\">";
        out.markup(shown.picture) << "</div>";
        write_code_form(out, "factor-on", "Turn on");
    } else if (shown.has_app) {
        out << "<p>Your account has an authenticator app. Whoever signs in "
            << (visit.app().auth.passkey
                    ? std::string_view("without a passkey is asked for its code.")
                    : std::string_view("is asked for its code."))
            << "</p>";
        write_code_form(out, "factor-off", "Turn off");
    } else {
        if (visit.enrol_only)
            write_notice(out, "Your role needs a second factor. Set it up to go on.");
        out << "<p>A code of an app on your phone, asked for beside your password.</p><form "
               "method=\"post\">";
        write_do(out, "factor-start", "Set up", visit.enrol_only ? "primary" : "quiet");
        out << "</form>";
    }
    out << "</section>";
}

Task<> write_orgs(Visit& visit, Html& out) {
    if (visit.app().org_roles.empty() || visit.enrol_only) co_return;
    const Answer answer = co_await visit.api.get("/orgs", Members());
    const Json* orgs = answer.body.find("orgs");
    out << "<section><h2>Organisations</h2>";
    if (orgs && !orgs->items.empty()) {
        out << "<ul class=\"cards\">";
        for (const Json& org : orgs->items) {
            const std::string id = org.text_of("id");
            out << "<li class=\"card\"><h3>" << shortened(org.text_of("name"), 200)
                << "</h3><p class=\"quiet\">" << in_words(org.text_of("role")) << "</p>";
            if (visit.caller.org_id == id) {
                out << "<p class=\"badge green\">You work for it now</p>";
            } else {
                out << "<form method=\"post\"><input type=\"hidden\" name=\"org\"";
                out.attribute("value", id) << ">";
                write_do(out, "org", "Work for it", "quiet");
                out << "</form>";
            }
            out << "</li>";
        }
        out << "</ul>";
    } else {
        out << "<p class=\"empty\">You belong to no organisation yet.</p>";
    }
    out << "<form method=\"post\" class=\"fields\"><div class=\"field\"><label "
           "for=\"org-name\">New "
           "organisation</label><input id=\"org-name\" name=\"name\" maxlength=\"200\"></div><div "
           "class=\"buttons\">";
    write_do(out, "org-new", "Create", "quiet");
    out << "</div></form></section>";
}

void write_person(Html& out, const Visit& visit) {
    const User& user = *visit.caller.user;
    const Persona* persona = identity::find_persona(visit.app(), user.role);
    out << "<section><dl class=\"fields-shown\">";
    if (!user.name.empty()) out << "<div><dt>Name</dt><dd>" << user.name << "</dd></div>";
    out << "<div><dt>E-mail</dt><dd>" << user.email << "</dd></div><div><dt>Role</dt><dd>"
        << (persona ? std::string(persona->label) : user.role);
    if (user.is_admin) out << ", administrator";
    out << "</dd></div></dl></section>";
}

void read_enrolment(const Answer& answer, Shown& shown) {
    shown.secret = answer.body.text_of("secret");
    shown.picture = answer.body.text_of("qrSvg");
    if (!answer.ok()) shown.problem = account_words(answer);
}

// The call of the app's own API that a form of the page asks for.
struct FormCall {
    std::string method = "POST", path, body = "{}";
    std::string_view done = {};  // the notice on the page that follows; empty: none
};

// The call for a form about a second factor or a passkey. It has no path if `what` is another form.
FormCall factor_call(const Visit& visit, std::string_view what) {
    const auto code = [&] { return body_of({{"code", visit.form.text("code")}}); };
    if (what == "factor-start") return {.path = "/auth/mfa/enroll/start"};
    if (what == "factor-on") return {.path = "/auth/mfa/enroll/confirm", .body = code()};
    if (what == "factor-off")
        return {.path = "/auth/mfa/disable", .body = code(), .done = "nofactor"};
    if (what == "passkey-on")
        return {.path = "/auth/passkeys/register/finish",
                .body = passkey_body(visit),
                .done = "passkey"};
    if (what == "passkey-off")
        return {.method = "DELETE",
                .path = "/auth/passkeys/" + base::percent_encoded(visit.form.text("passkey")),
                .body = "",
                .done = "nopasskey"};
    return {};
}

FormCall org_call(const Visit& visit, std::string_view what) {
    if (what == "org")
        return {.path = "/orgs/switch",
                .body = body_of({{"orgId", visit.form.text("org")}}),
                .done = "org"};
    if (what == "org-new")
        return {
            .path = "/orgs", .body = body_of({{"name", visit.form.text("name")}}), .done = "org"};
    return {};
}

// The key stands on the page until the code fits.
Task<> show_key_again(Visit& visit, Shown& shown) {
    const Answer again =
        co_await visit.api.send("POST", "/auth/mfa/enroll/start", "{}", std::string());
    shown.secret = again.body.text_of("secret");
    shown.picture = again.body.text_of("qrSvg");
}

Task<Progress> act(Visit& visit, Shown& shown) {
    const std::string_view what = visit.form.text("_do");
    FormCall call = factor_call(visit, what);
    if (call.path.empty()) call = org_call(visit, what);
    if (call.path.empty()) co_return Progress::goes_on;
    if (call.body.empty() && call.method == "POST") {
        shown.problem = "Your browser has made no passkey. Try again.";
        co_return Progress::goes_on;
    }
    const Answer answer = co_await visit.api.send(std::move(call.method), std::move(call.path),
                                                  std::move(call.body), std::string());
    visit.exchange.reply().extra_headers += answer.cookies;
    if (what == "factor-start") {
        read_enrolment(answer, shown);
        co_return Progress::goes_on;
    }
    if (!answer.ok()) {
        shown.problem = account_words(answer);
        if (what == "factor-on") co_await show_key_again(visit, shown);
        co_return Progress::goes_on;
    }
    visit.in.identifier.sessions().forget(visit.caller.session_hash);
    if (const Json* codes = answer.body.find("backupCodes")) {
        for (const Json& code : codes->items) shown.codes.push_back(plain(&code));
        co_return Progress::goes_on;
    }
    go_on(visit, "/account", call.done);
    co_return Progress::answered;
}

}  // namespace

Task<> answer_account(Visit& visit) {
    if (!visit.signed_in()) {
        go_on(visit, sign_in_address(visit, "/account"), "");
        co_return;
    }
    Shown shown;
    if (visit.exchange.head().method == "POST" && co_await act(visit, shown) == Progress::answered)
        co_return;
    Frame frame{.title = "Your account"};
    frame.body << "<div class=\"account\">";
    if (!shown.problem.empty()) write_notice(frame.body, shown.problem);
    write_person(frame.body, visit);
    shown.has_app = co_await visit.in.has_factor_app(visit.caller.user->id);
    write_factor(frame.body, visit, shown);
    co_await write_passkeys(visit, frame.body);
    co_await write_orgs(visit, frame.body);
    frame.body << "<form method=\"post\" action=\"/sign-out\"><button class=\"button quiet\">Sign "
                  "out</button></form></div>";
    answer_page(visit, shown.problem.empty() ? 200 : 422, frame);
}

}  // namespace svc::page
