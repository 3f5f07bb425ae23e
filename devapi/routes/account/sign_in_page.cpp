#include "routes/account/sign_in_page.hpp"

#include "http/text.hpp"
#include "routes/account/page.hpp"

namespace svc::devapi {
namespace {

using http::escape_html;

// Shows the form, asks the browser when it is pressed, and sends what it answered.
constexpr std::string_view kPasskeyScript =
    "const form = document.getElementById('passkey');"
    "const said = form.querySelector('p');"
    "form.hidden = !window.PublicKeyCredential;"
    "form.querySelector('button').addEventListener('click', async () => {"
    "try {"
    "const publicKey = "
    "PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));"
    "const made = await navigator.credentials.get({ publicKey });"
    "form.elements.passkey.value = JSON.stringify(made.toJSON());"
    "form.submit();"
    "} catch (error) { said.textContent = 'The passkey did not work: ' + error.message; }"
    "});";

std::string hidden(std::string_view name, std::string_view value) {
    return "<input type=\"hidden\" name=\"" + std::string(name) + "\" value=\"" +
           escape_html(value) + "\">";
}

std::string factor_form(const FactorForm& form, std::string_view more, std::string_view inner) {
    return "<form method=\"post\" action=\"" + std::string(kSignInPath) + "\"" + std::string(more) +
           ">" + hidden("action", "factor") + hidden("code", form.code) +
           hidden("pending", form.pending) + std::string(inner) + "</form>";
}

// The workspaces that a sign-in may be for.
std::vector<Membership> open_to(Context& context, const Account& account, bool second_factor) {
    auto all = memberships(context.store, account.id);
    std::erase_if(all, [&](const Membership& one) { return one.demands_factor && !second_factor; });
    return all;
}

std::string workspace_choice(const std::vector<Membership>& all) {
    std::string out = "<label>Workspace<select name=\"workspace\">";
    for (const auto& one : all)
        out += "<option value=\"" + one.workspace_id + "\">" + escape_html(one.workspace_name) +
               " (" + std::string(name(one.role)) + ")</option>";
    return out + "</select></label>";
}

}  // namespace

void show_sign_in(const SignInForm& form, int status, std::string_view complaint,
                  Response& response) {
    page(response, status, kSignInTitle,
         "<h1>Sign in a client</h1><p>A program asks to act as you. Continue only if you started "
         "it yourself and it shows exactly this code.</p>" +
             alert(complaint) + "<form method=\"post\" action=\"" + kSignInPath +
             "\"><label>Code<input name=\"code\" value=\"" + escape_html(form.code) +
             "\" autocomplete=\"off\" required></label><label>E-mail<input type=\"email\" "
             "name=\"email\" autocomplete=\"username\" value=\"" +
             escape_html(form.email) +
             "\" required></label><label>Password<input type=\"password\" name=\"password\" "
             "autocomplete=\"current-password\" required></label><button name=\"action\" "
             "value=\"sign-in\">Sign in</button></form>");
}

void show_factor(const FactorForm& form, int status, std::string_view complaint,
                 Response& response) {
    std::string inner = "<h1>Your second factor</h1>" + alert(complaint);
    if (form.totp)
        inner += factor_form(form, "",
                             "<label>Code of your authenticator app, or a backup code<input "
                             "name=\"factor\" autocomplete=\"one-time-code\" required "
                             "autofocus></label><button>Continue</button>");
    if (form.passkey_options.empty()) return page(response, status, kSignInTitle, inner);
    inner += "<noscript><p>A passkey needs a browser that runs scripts.</p></noscript>" +
             factor_form(form,
                         " id=\"passkey\" hidden data-options=\"" +
                             escape_html(form.passkey_options) + "\"",
                         hidden("passkey", "") +
                             "<p role=\"status\"></p><button type=\"button\">Use a "
                             "passkey</button>");
    page(response, status, kSignInTitle, inner, {kPasskeyScript});
}

void show_decision(Context& context, const PendingLogin& asked, const Account& account,
                   bool second_factor, Response& response) {
    const auto all = open_to(context, account, second_factor);
    if (all.empty())
        return page(response, 403, kSignInTitle,
                    "<p role=\"alert\">None of your workspaces lets you in without a second "
                    "factor. Enrol one first, with <code>svc mfa enroll</code>.</p>");
    const std::string ticket = make_ticket(context.store, asked.id, account.id, second_factor);
    if (ticket.empty()) return show_sign_in({}, 404, "This code is no longer valid.", response);
    page(response, 200, kSignInTitle,
         "<h1>Allow this program?</h1><p>A program that calls itself <b>" +
             escape_html(asked.client) + "</b>, at address " + escape_html(asked.address) +
             ", shows the code <b>" + escape_html(asked.user_code) + "</b>. It would act as " +
             escape_html(account.email) +
             " in one workspace: read, apply and deploy its projects, until you sign it out.</p>"
             "<form method=\"post\" action=\"" +
             kSignInPath + "\"><input type=\"hidden\" name=\"ticket\" value=\"" + ticket + "\">" +
             workspace_choice(all) +
             "<button name=\"action\" value=\"approve\">Allow</button>"
             "<button name=\"action\" value=\"refuse\">Refuse</button></form>");
}

}  // namespace svc::devapi
