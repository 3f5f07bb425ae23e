#include "calls/dispatch.hpp"

#include <algorithm>
#include <pqxx/pqxx>

#include "base/ascii.hpp"
#include "calls/call_note.hpp"
#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "http/request/params.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr int kDeepest = 200;  // of a body; a contract needs a tenth of it

bool authenticated(Context& context, Request& request, Response& response) {
    std::string_view value = request.authorization;
    if (value.size() > 7 && base::iequals(value.substr(0, 7), "bearer "))
        request.caller = authenticate(context.store, context.signer, base::trim(value.substr(7)));
    if (request.caller.kind != Caller::Kind::nobody) return true;
    response.header("WWW-Authenticate", "Bearer");
    response.refuse(DevCode::unauthenticated,
                    value.empty() ? "You are not signed in. Send Authorization: Bearer <token>."
                                  : "The token or session is no longer valid. Sign in again.");
    return false;
}

std::string_view scope_of(Need need) {
    switch (need) {
        case Need::apply:
            return "apply";
        case Need::deploy:
            return "deploy";
        case Need::read:
            return "read";
        default:
            return {};
    }
}

bool in_scope(const Route& route, const Caller& caller, Response& response) {
    if (route.need == Need::session && caller.kind != Caller::Kind::session) {
        response.refuse(DevCode::session_required,
                        "A token cannot do this. Sign in as a builder instead: svc login.");
        return false;
    }
    const std::string_view scope = scope_of(route.need);
    if (scope.empty() || caller.has(scope)) return true;
    const auto& made_for = caller.made_for;
    if (std::find(made_for.begin(), made_for.end(), scope) != made_for.end()) {
        response.refuse(DevCode::forbidden_role, "A viewer of this workspace may only read.");
        return false;
    }
    response.refuse(DevCode::forbidden_scope,
                    "This token lacks the scope '" + std::string(scope) + "'.");
    return false;
}

bool project_in_reach(Context& context, const Route& route, Request& request, Response& response) {
    request.project = find_project(context.store, request.caller, request.params.at("id"));
    if (!request.project) {
        response.not_found("Project");
        return false;
    }
    if (request.project->demands_factor && !request.caller.second_factor) {
        refuse_without_factor(response);
        return false;
    }
    if (request.project->role >= route.role) {
        hold_to_role(request.caller, request.project->role);
        return true;
    }
    response.refuse(DevCode::forbidden_role, "This needs the role " +
                                                 std::string(name(route.role)) +
                                                 " in the workspace. Your role is " +
                                                 std::string(name(request.project->role)) + ".");
    return false;
}

// Each route lists its parameters of the query string.
bool known_params(const Route& route, const Request& request, Response& response) {
    const auto error = http::check_params(request.query, route.params);
    if (!error) return true;
    bad_parameter(response, error->field.c_str(), error->message);
    return false;
}

// True if the caller has the right now.
bool has_right(Context& context, const Route& route, Request& request, Response& response) {
    if (route.need != Need::nothing) {
        if (!authenticated(context, request, response)) return false;
        if (!in_scope(route, request.caller, response)) return false;
    }
    return !route.has_project() || project_in_reach(context, route, request, response);
}

bool may(Context& context, const Route& route, Request& request, Response& response) {
    if (json_deeper_than(request.body, kDeepest)) {
        response.refuse(Code::bad_request,
                        "The body is nested deeper than " + std::to_string(kDeepest) + " levels.");
        return false;
    }
    return has_right(context, route, request, response) && known_params(route, request, response);
}

// False: it failed, and is answered.
template <class Work>
bool guarded(const Request& request, Response& response, const Work& work) noexcept {
    try {
        return work();
    } catch (const pqxx::broken_connection& lost) {
        log::write(log::Level::error, "platform_database_lost", {{"what", lost.what()}});
        response = {};
        response.header("Retry-After", "1");
        response.refuse(Code::unavailable, "The database does not answer. Try again.");
    } catch (const std::exception& error) {
        log::write(
            log::Level::error, "dev_handler_failed",
            {{"method", request.method}, {"path", request.path}, {"what", log_words(error)}});
        response = {};
        response.refuse(Code::internal, "The server failed to answer this request.");
    }
    return false;
}

}  // namespace

bool admit(Context& context, const Route& route, Request& request, Response& response) noexcept {
    const bool admitted =
        guarded(request, response, [&] { return may(context, route, request, response); });
    if (!admitted) note_call(context, route, request, response);
    return admitted;
}

bool admit_again(Context& context, const Route& route, Request& request,
                 Response& response) noexcept {
    const bool admitted =
        guarded(request, response, [&] { return has_right(context, route, request, response); });
    if (!admitted) note_call(context, route, request, response);
    return admitted;
}

void perform(Context& context, const Route& route, Request& request, Response& response) noexcept {
    guarded(request, response, [&] {
        // A call that follows something may last an hour.
        if (route.follows && request.progress) {
            note_call(context, route, request, response);
            response.noted = true;
        }
        route.handler(context, request, response);
        return true;
    });
    if (!response.noted || response.status >= 400) note_call(context, route, request, response);
}

void dispatch(Context& context, const Route& route, Request& request, Response& response) noexcept {
    if (admit(context, route, request, response)) perform(context, route, request, response);
}

}  // namespace svc::devapi
