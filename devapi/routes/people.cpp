// The users of a project's dev environment, as who builds it meets them: their mails, and signing
// in as one of them.
#include "http/fields.hpp"
#include "platform/outbox.hpp"
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

// The dev database; empty, and answered, where nothing was applied yet.
std::string dev_database(Context& context, const Request& request, Response& response) {
    std::string url = context.apps.database_url(request.project->id, "dev");
    if (url.empty())
        response.send(404, {{"error", "This project has no app yet: apply a contract."},
                            {"code", name(Code::no_app)}});
    return url;
}

void bad_request(Response& response, const char* field, const char* message) {
    response.send(400, {{"error", message},
                        {"code", name(Code::bad_request)},
                        {"details", {{{"field", field}, {"message", message}}}}});
}

void mail(Context& context, const Request& request, Response& response) {
    OutboxQuery query;
    query.to = query_value(request.query, "to");
    query.limit = kUsualMails;
    const std::string env = query_value(request.query, "env");
    if (!env.empty() && env != "dev") {
        if (env != "prod") return bad_request(response, "env", "Must be dev or prod.");
        return response.send(
            404, {{"error", "This project is not deployed."}, {"code", name(Code::no_app)}});
    }
    const std::string limit = query_value(request.query, "limit");
    if (!limit.empty()) {
        const bool digits =
            limit.size() < 6 && limit.find_first_not_of("0123456789") == std::string::npos;
        query.limit = digits ? std::stoi(limit) : 0;
        if (query.limit < 1 || query.limit > kMostMails)
            return bad_request(response, "limit", "Must be a whole number from 1 to 200.");
    }
    const std::string database = dev_database(context, request, response);
    if (database.empty()) return;
    response.body = "{\"mails\":" + list_of(read_outbox(database, query)) + "}";
}

void list_sign_ins(Context& context, const Request& request, Response& response) {
    const std::string database = dev_database(context, request, response);
    if (database.empty()) return;
    response.body = "{\"signIns\":" + list_of(demo_accounts(database)) + "}";
}

void make_sign_in(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string as = fields.required_text("as", 1, 254);
    if (!fields.good(response)) return;
    const std::string database = dev_database(context, request, response);
    if (database.empty()) return;
    const auto link = make_demo_link(database, as);
    if (!link)
        return bad_request(response, "as",
                           "Must be a persona of the app or the e-mail address of an account.");
    const std::string url = preview_url(context.config, request.project->slug) +
                            "/__svc/auth/magic/consume?token=" + link->token;
    response.send(200, {{"url", url}, {"expiresAt", link->expires_at}});
}

}  // namespace

void bind_people(RouteTable& table) {
    table.add({"GET", "/projects/:id/mail", Need::apply, Role::developer, mail});
    table.add({"GET", "/projects/:id/sign-in", Need::any, Role::viewer, list_sign_ins});
    table.add({"POST", "/projects/:id/sign-in", Need::apply, Role::developer, make_sign_in});
}

}  // namespace svc::devapi
