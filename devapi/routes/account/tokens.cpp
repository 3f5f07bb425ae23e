// Personal access tokens.
#include <algorithm>

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "http/fields.hpp"
#include "platform/account/accounts.hpp"
#include "platform/workspace/demands.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

json token_json(const TokenRecord& token) {
    return {{"id", token.id},
            {"name", token.name},
            {"workspace_id", token.workspace_id},
            {"token_prefix", token.prefix},
            {"scopes", token.scopes},
            {"expires_at", nullable(token.expires_at)},
            {"last_used_at", nullable(token.last_used_at)},
            {"created_at", token.created_at}};
}

// In the order of the scopes themselves, each once. False: answered.
bool take_scopes(const std::vector<std::string>& requested, Role role,
                 std::vector<std::string>& scopes, Response& response) {
    const std::vector<std::string> known = {"read", "apply", "deploy"};
    for (const auto& scope : requested)
        if (std::find(known.begin(), known.end(), scope) == known.end()) {
            response.refuse(DevCode::invalid_scope,
                            "There is no scope '" + scope + "'. Scopes are read, apply, deploy.");
            return false;
        }
    for (const auto& scope : known)
        if (std::find(requested.begin(), requested.end(), scope) != requested.end())
            scopes.push_back(scope);
    if (role > Role::viewer || scopes == std::vector<std::string>{"read"}) return true;
    response.refuse(DevCode::invalid_scope, "A viewer's token may only have the scope read.");
    return false;
}

void mint(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    NewToken wanted;
    wanted.user_id = request.caller.user_id;
    wanted.name = fields.required_text("name", 1, 80);
    wanted.workspace_id = fields.uuid("workspaceId").value_or("");
    if (!fields.has("workspaceId")) fields.wrong("workspaceId", "Is required.");
    const auto scopes = fields.texts("scopes");
    if (scopes && scopes->empty()) fields.wrong("scopes", "Must name at least one scope.");
    wanted.expires_in_days = fields.integer("expiresInDays", 1, 366).value_or(0);
    if (!fields.good(response)) return;
    const auto role = role_in(context.store, wanted.user_id, wanted.workspace_id);
    if (!role) return response.not_found("Workspace");
    if (kept_out(context.store, request.caller, wanted.workspace_id))
        return refuse_without_factor(response);
    const std::vector<std::string> usual = *role == Role::viewer
                                               ? std::vector<std::string>{"read"}
                                               : std::vector<std::string>{"read", "apply"};
    if (!take_scopes(scopes.value_or(usual), *role, wanted.scopes, response)) return;
    response.workspace_id = wanted.workspace_id;
    if (!context.limits.allows(DevLimits::Kind::tokens, wanted.user_id, response)) return;
    const MintedToken token = mint_token(context.store, wanted);
    response.send(201, {{"token", token.value},
                        {"id", token.record.id},
                        {"name", token.record.name},
                        {"workspaceId", token.record.workspace_id},
                        {"scopes", token.record.scopes},
                        {"expiresAt", nullable(token.record.expires_at)},
                        {"createdAt", token.record.created_at},
                        {"note", "Store the value now. It is not shown again."}});
}

// The tokens of the caller's account; only of its workspace if the caller is a token.
std::vector<TokenRecord> tokens_in_reach(Context& context, const Request& request) {
    auto all = list_tokens(context.store, request.caller.user_id);
    const std::string& pinned = request.caller.workspace_id;
    if (!pinned.empty())
        std::erase_if(all, [&](const TokenRecord& one) { return one.workspace_id != pinned; });
    return all;
}

void list_tokens(Context& context, const Request& request, Response& response) {
    json tokens = json::array();
    for (const auto& token : tokens_in_reach(context, request)) tokens.push_back(token_json(token));
    response.send(200, {{"tokens", tokens}});
}

bool is_listed(Context& context, const Request& request, const std::string& id) {
    return std::ranges::any_of(tokens_in_reach(context, request),
                               [&id](const TokenRecord& token) { return token.id == id; });
}

// A token that leaked must not end those that others work with.
void revoke_token(Context& context, const Request& request, Response& response) {
    const std::string id = base::lower(request.params.at("token"));
    const Caller& caller = request.caller;
    if (caller.kind == Caller::Kind::token && caller.credential_id != id &&
        is_listed(context, request, id))
        return response.refuse(
            DevCode::session_required,
            "A token may only revoke itself. Sign in as a builder to revoke another token.");
    if (!base::is_uuid(id) || !revoke_token(context.store, caller, id))
        return response.not_found("Token");
    response.send(200, {{"revoked", id}});
}

}  // namespace

void bind_tokens(RouteTable& table) {
    table.add({"POST", "/tokens", Need::session, Role::viewer, mint});
    table.add({"GET", "/tokens", Need::any, Role::viewer, list_tokens});
    table.add({"DELETE", "/tokens/:token", Need::any, Role::viewer, revoke_token});
}

}  // namespace svc::devapi
