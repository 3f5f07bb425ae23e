#include "calls/environment.hpp"

#include <algorithm>

#include "apps/database/snapshots.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {

void bad_parameter(Response& response, const char* field, const std::string& message) {
    response.send(status(Code::bad_request),
                  {{"error", std::string(field) + ": " + message},
                   {"code", name(Code::bad_request)},
                   {"details", {{{"field", field}, {"message", message}}}}});
}

std::optional<Env> environment_of(const Request& request, Response& response) {
    const std::string word = query_value(request.query, "env");
    const auto env = word.empty() ? std::optional(Env::dev) : dev_or_prod(word);
    if (!env) bad_parameter(response, "env", "Must be dev or prod.");
    return env;
}

Env environment_of(Fields& fields, Env usual) {
    const auto word = fields.text("env", 0, 20);
    if (!word) return usual;
    const auto env = dev_or_prod(*word);
    if (!env) fields.wrong("env", "Must be dev or prod.");
    return env.value_or(usual);
}

void refuse_no_app(Env env, Response& response) {
    response.refuse(Code::no_app,
                    env == Env::dev
                        ? "This project has no app yet. Apply a contract first."
                        : "This project is not deployed yet. Deploy it with svc deploy.");
}

std::string database_of(Context& context, const Request& request, Env env, Response& response) {
    std::string url = context.apps.database_url(request.project->id, env);
    if (url.empty()) refuse_no_app(env, response);
    return url;
}

std::optional<AppDatabase> operated(Context& context, const Request& request, Env env,
                                    Response& response) {
    std::string error;
    auto database = context.apps.sql_access(request.project->id, env, error);
    if (!database) {
        refuse_no_app(env, response);
    } else if (!error.empty()) {
        response.refuse(Code::unavailable, error);
        database.reset();
    }
    return database;
}

bool may_change(const Request& request, Env env, Response& response) {
    const std::string_view scope = env == Env::prod ? "deploy" : "apply";
    // The scopes that the token was made with; a viewer's role takes some of them away.
    const auto& made_for = request.caller.made_for;
    if (!request.caller.has(scope) &&
        std::find(made_for.begin(), made_for.end(), scope) == made_for.end()) {
        response.refuse(DevCode::forbidden_scope, "Changing " + name(env) + " needs the scope '" +
                                                      std::string(scope) +
                                                      "', which this token lacks.");
        return false;
    }
    if (request.project->role >= Role::developer) return true;
    response.refuse(DevCode::forbidden_role,
                    "Changing " + name(env) +
                        " needs the role developer in the workspace. Your role is " +
                        std::string(name(request.project->role)) + ".");
    return false;
}

bool may_read_or_change(const Request& request, Env env, Response& response) {
    const std::string_view scope = env == Env::prod ? "deploy" : "apply";
    const Caller& caller = request.caller;
    if (caller.has("read") || caller.has(scope)) return true;
    const auto& made_for = caller.made_for;
    const bool by_role = std::find(made_for.begin(), made_for.end(), scope) != made_for.end();
    return by_role ? may_change(request, env, response) : may_read(request, response);
}

bool may_read(const Request& request, Response& response) {
    if (request.caller.has("read")) return true;
    response.refuse(DevCode::forbidden_scope,
                    "Reading needs the scope 'read', which this token lacks.");
    return false;
}

bool keep_before_write(Context& context, const Request& request, Env env, Response& response) {
    if (env != Env::prod) return true;
    try {
        context.apps.take_snapshot({request.project->id, env, "sql", "", request.caller.user_id});
        return true;
    } catch (const std::exception& error) {
        log::write(log::Level::error, "snapshot_failed", {{"what", log_words(error)}});
        response.refuse(
            Code::unavailable,
            "The snapshot that must come before a write to prod failed. Nothing was written.");
        return false;
    }
}

bool busy(const ConcurrencyLimit::Slot& slot, Response& response) {
    if (slot) return false;
    response.header("Retry-After", "1");
    response.refuse(Code::unavailable,
                    "Other statements of this workspace are running right now. Try again.");
    return true;
}

int limit_of(const Request& request, int usual, int most, Response& response, const char* name) {
    const std::string text = query_value(request.query, name);
    if (text.empty()) return usual;
    const bool digits =
        text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
    const int limit = digits ? std::stoi(text) : 0;
    if (limit >= 1 && limit <= most) return limit;
    bad_parameter(response, name, "Must be a whole number from 1 to " + std::to_string(most) + ".");
    return 0;
}

}  // namespace svc::devapi
