// The users of a project's app, as who builds it meets them: their mails, and signing
// in as one of them.
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "platform/mail/outbox.hpp"
#include "routes/app_url.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualMails = 50, kMostMails = 200;

std::string list_of(const std::vector<std::string>& objects) {
    std::string out;
    for (const std::string& object : objects) out.append(out.empty() ? "" : ",").append(object);
    return "[" + out + "]";
}

// Mails have links that sign their readers in, so only members who may change the environment read
// them.
void mail(Context& context, const Request& request, Response& response) {
    const auto env = environment_of(request, response);
    if (!env || !may_change(request, *env, response)) return;
    OutboxQuery query;
    query.to = query_value(request.query, "to");
    query.limit = limit_of(request, kUsualMails, kMostMails, response);
    if (query.limit == 0) return;
    const std::string database = database_of(context, request, *env, response);
    if (database.empty()) return;
    response.body = "{\"mails\":" + list_of(read_outbox(database, query)) + "}";
}

void list_sign_ins(Context& context, const Request& request, Response& response) {
    const std::string database = database_of(context, request, Env::dev, response);
    if (database.empty()) return;
    response.body = "{\"signIns\":" + list_of(demo_accounts(database)) + "}";
}

void make_sign_in(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string as = fields.required_text("as", 1, 254);
    if (!fields.good(response)) return;
    const std::string database = database_of(context, request, Env::dev, response);
    if (database.empty()) return;
    const auto link = make_demo_link(database, as);
    if (!link)
        return bad_parameter(response, "as",
                             "Must be a persona of the app or the e-mail address of an account.");
    const std::string url =
        magic_link(preview_url(context.config, request.project->slug), link->token);
    response.send(200, {{"url", url}, {"expiresAt", link->expires_at}});
}

}  // namespace

void bind_people(RouteTable& table) {
    Route mails{"GET", "/projects/:id/mail", Need::change, Role::viewer, mail};
    mails.shows = true;
    table.add(mails, {"env", "to", "limit"});
    table.add({"GET", "/projects/:id/sign-in", Need::any, Role::viewer, list_sign_ins});
    table.add({"POST", "/projects/:id/sign-in", Need::apply, Role::developer, make_sign_in});
}

}  // namespace svc::devapi
