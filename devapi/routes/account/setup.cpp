// The page behind the one-time setup link of the first account. Older invitations name it too.
#include "auth/password/argon2.hpp"
#include "http/fields.hpp"
#include "http/text.hpp"
#include "platform/account/accounts.hpp"
#include "platform/workspace/invitations.hpp"
#include "routes/account/join.hpp"
#include "routes/account/page.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kShortestPassword = 8;
constexpr const char* kSetupTitle = "svc setup";

struct Form {
    std::string token, email, password;
};

std::string form_html(std::string_view token, std::string_view email, std::string_view complaint) {
    std::string out = "<h1>Set up your account</h1>";
    out += alert(complaint);
    out +=
        "<form method=\"post\" action=\"/setup\"><input type=\"hidden\" name=\"token\" value=\"" +
        http::escape_html(token) +
        "\"><label>E-mail<input type=\"email\" name=\"email\" "
        "autocomplete=\"username\" value=\"" +
        http::escape_html(email) +
        "\"></label><label>Password, at least 8 characters<input type=\"password\" "
        "name=\"password\" "
        "autocomplete=\"new-password\" minlength=\"8\" required></label>"
        "<button>Set up</button></form>";
    return out;
}

void show_setup(Context& context, const Request& request, Response& response) {
    if (find_invitation(context.store, query_value(request.query, "token")))
        return show_invitation(context, request, response);
    page(response, 200, kSetupTitle, form_html(query_value(request.query, "token"), "", ""));
}

// The fault of the form, or empty.
std::string complaint_of(const Setup& setup) {
    switch (setup.result) {
        case Setup::Result::done:
            return {};
        case Setup::Result::unknown_link:
            return "This setup link is no longer valid.";
        case Setup::Result::email_needed:
            return std::string("The e-mail address of the first account: ") + kNoEmail;
    }
    return {};
}

void answer_form(const Form& form, const Setup& setup, Response& response) {
    const std::string complaint = complaint_of(setup);
    if (complaint.empty())
        page(response, 200, kSetupTitle,
             "<h1>Done</h1><p>You can sign in now: <code>svc login</code>.</p>");
    else
        page(response, 400, kSetupTitle, form_html(form.token, form.email, complaint));
}

void answer_json(const Setup& setup, Response& response) {
    const std::string complaint = complaint_of(setup);
    if (complaint.empty())
        response.send(200, {{"user", {{"id", setup.account.id}, {"email", setup.account.email}}}});
    else if (setup.result == Setup::Result::unknown_link)
        response.refuse(404, complaint);
    else
        response.refuse(Code::bad_request, complaint);
}

void use(Context& context, const Request& request, Response& response) {
    if (find_invitation(context.store, link_token(request)))
        return take_invitation(context, request, response);
    const bool is_form = request.content_type.starts_with("application/x-www-form-urlencoded");
    if (is_form && from_another_site(request)) return response.refuse(403, kForeignForm);
    Form form;
    if (is_form) {
        form = {query_value(request.body, "token"), query_value(request.body, "email"),
                query_value(request.body, "password")};
    } else {
        Fields fields(request);
        form.token = fields.required_text("token", 1, 200);
        form.email = fields.text("email", 0, 254).value_or("");
        form.password = fields.required_text("password", kShortestPassword, 200);
        if (!fields.good(response)) return;
    }
    if (form.password.size() < kShortestPassword || form.password.size() > 800)
        return page(response, 400, kSetupTitle, form_html(form.token, form.email, kPasswordLength));
    // Hashing is expensive, so guesses of links are limited like guesses of passwords.
    if (const int seconds = context.throttle.take_of_links("setup", request.remote)) {
        response.header("Retry-After", std::to_string(seconds));
        return response.refuse(Code::rate_limited, kTooManyTries);
    }
    const Setup setup = use_setup_link(context.store, form.token, form.email,
                                       auth::password::make_hash(form.password));
    if (setup.result != Setup::Result::unknown_link)
        context.throttle.give_back("setup", request.remote);
    if (setup.result == Setup::Result::done)
        response.actor = {Caller::Kind::nobody, setup.account.id, setup.account.email, {}, {}, {}};
    if (is_form)
        answer_form(form, setup, response);
    else
        answer_json(setup, response);
}

}  // namespace

void bind_setup(RouteTable& table) {
    table.add({"GET", "/setup", Need::nothing, Role::viewer, show_setup}, {"token"});
    table.add({"POST", "/setup", Need::nothing, Role::viewer, use});
}

}  // namespace svc::devapi
