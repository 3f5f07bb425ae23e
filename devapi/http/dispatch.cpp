#include "http/dispatch.hpp"

#include <algorithm>
#include <pqxx/pqxx>

#include "http/json_slice.hpp"
#include "http/text.hpp"
#include "log/log.hpp"
#include "platform/audit.hpp"

namespace svc::devapi {
namespace {

constexpr int kDeepest = 200;  // of a body; a contract needs a tenth of it

constexpr std::size_t kLongestTarget = 300;
constexpr std::size_t kLongestTold = 64 * 1024;

bool authenticated(Context& context, Request& request, Response& response) {
    std::string_view value = request.authorization;
    if (value.size() > 7 && http::iequals(value.substr(0, 7), "bearer "))
        request.caller = authenticate(context.store, context.signer, http::trim(value.substr(7)));
    if (request.caller.kind != Caller::Kind::nobody) return true;
    response.header("WWW-Authenticate", "Bearer");
    response.refuse(Code::unauthenticated, value.empty()
                                               ? "Sign in: send Authorization: Bearer <token>."
                                               : "The token or session is not valid any more.");
    return false;
}

std::string_view scope_of(Need need) {
    switch (need) {
        case Need::apply:
            return "apply";
        case Need::deploy:
            return "deploy";
        case Need::read:
        case Need::read_or_change:
            return "read";
        default:
            return {};
    }
}

bool in_scope(const Route& route, const Caller& caller, Response& response) {
    if (route.need == Need::session && caller.kind != Caller::Kind::session) {
        response.refuse(Code::session_required,
                        "This needs a builder session; a token cannot do it.");
        return false;
    }
    const std::string_view scope = scope_of(route.need);
    if (scope.empty() || caller.has(scope)) return true;
    const auto& made_for = caller.made_for;
    if (std::find(made_for.begin(), made_for.end(), scope) != made_for.end()) {
        response.refuse(Code::forbidden_role, "A viewer of this workspace may only read.");
        return false;
    }
    response.refuse(Code::forbidden_scope,
                    "This token lacks the scope '" + std::string(scope) + "'.");
    return false;
}

bool project_in_reach(Context& context, const Route& route, Request& request, Response& response) {
    request.project = find_project(context.store, request.caller, request.params.at("id"));
    if (!request.project) {
        response.not_found("Project");
        return false;
    }
    if (request.project->role >= route.role) {
        hold_to_role(request.caller, request.project->role);
        return true;
    }
    response.refuse(Code::forbidden_role, "This needs the role " + std::string(name(route.role)) +
                                              " in the workspace; yours is " +
                                              std::string(name(request.project->role)) + ".");
    return false;
}

void serve(Context& context, const Route& route, Request& request, Response& response) {
    if (json_deeper_than(request.body, kDeepest))
        return response.refuse(Code::bad_request, "The body is nested deeper than " +
                                                      std::to_string(kDeepest) + " levels.");
    if (route.need != Need::nothing) {
        if (!authenticated(context, request, response)) return;
        if (!in_scope(route, request.caller, response)) return;
    }
    if (route.has_project() && !project_in_reach(context, route, request, response)) return;
    route.handler(context, request, response);
}

// Members of a body that say what it is about. Contracts, rows, SQL and secrets are none of the
// record's business.
std::string told_in(std::string_view body, bool first) {
    constexpr const char* kTold[] = {"env",       "op",      "table",      "as",
                                     "subdomain", "preview", "skipVerify", "role"};
    if (body.size() > kLongestTold) return {};
    const json object = json::parse(body, nullptr, false);
    std::string out;
    for (const char* name : kTold) {
        const auto member = object.is_object() ? object.find(name) : object.end();
        if (member == object.end() || (!member->is_string() && !member->is_boolean())) continue;
        out += std::string(first ? "" : " ") + name + "=" +
               (member->is_string() ? member->get<std::string>() : member->dump());
        first = false;
    }
    return out;
}

// The id of a project stands in an entry of its own.
std::string target_of(const Request& request) {
    std::string out;
    for (const auto& [name, value] : request.params)
        if (name != "id" && name != "workspace")
            out += (out.empty() ? "" : " ") + name + "=" + value;
    out += told_in(request.body, out.empty());
    out = out.substr(0, kLongestTarget);
    // Whatever a caller writes, the record of it is one that the database takes.
    for (char& c : out)
        if (c < ' ' || c > '~') c = '?';
    return out;
}

// A text of the answer; empty where it has no such member.
std::string answered(const Response& response, const char* member) {
    const json body = json::parse(response.body, nullptr, false);
    const auto found = body.is_object() ? body.find(member) : body.end();
    return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Whatever changes something, or tried to, by somebody who is known.
void note(Context& context, const Route& route, const Request& request, const Response& response) {
    const Caller& caller =
        request.caller.kind == Caller::Kind::nobody ? response.actor : request.caller;
    if (caller.user_id.empty() || route.reads || request.method == "GET" ||
        request.method == "HEAD")
        return;
    AuditEntry entry;
    entry.user_id = caller.user_id;
    entry.email = caller.email;
    entry.auth = caller.kind == Caller::Kind::token     ? "pat"
                 : caller.kind == Caller::Kind::session ? "session"
                                                        : "";
    entry.workspace_id = request.project                 ? request.project->workspace_id
                         : response.workspace_id.empty() ? caller.workspace_id
                                                         : response.workspace_id;
    if (request.project) entry.project_id = request.project->id;
    entry.action = std::string(request.method) + " " + std::string(route.pattern);
    entry.target = target_of(request);
    entry.address = request.remote;
    entry.status = response.status;
    if (response.status >= 400) entry.code = answered(response, "code");
    if (response.status == 201 && entry.target.empty())
        if (const auto made = answered(response, "id"); !made.empty()) entry.target = "id=" + made;
    record(context.store, entry);
}

void try_to_note(Context& context, const Route& route, const Request& request,
                 const Response& response) noexcept try {
    note(context, route, request, response);
} catch (const std::exception& error) {
    log::write(log::Level::error, "audit_not_written",
               {{"method", request.method}, {"path", request.path}, {"what", error.what()}});
}

}  // namespace

void dispatch(Context& context, const Route& route, Request& request, Response& response) noexcept {
    try {
        serve(context, route, request, response);
    } catch (const pqxx::broken_connection& lost) {
        log::write(log::Level::error, "platform_database_lost", {{"what", lost.what()}});
        response = {};
        response.header("Retry-After", "1");
        response.refuse(Code::unavailable, "The database does not answer. Try again.");
    } catch (const std::exception& error) {
        log::write(log::Level::error, "dev_handler_failed",
                   {{"method", request.method}, {"path", request.path}, {"what", error.what()}});
        response = {};
        response.refuse(Code::internal, "The server failed to answer this request.");
    }
    try_to_note(context, route, request, response);
}

}  // namespace svc::devapi
