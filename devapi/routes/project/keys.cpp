// The keys by which a project's app is called.
#include <algorithm>

#include "base/formats.hpp"
#include "http/fields.hpp"
#include "platform/keys/keys.hpp"
#include "platform/keys/unsent.hpp"
#include "platform/project/deployments.hpp"
#include "routes/app_url.hpp"
#include "routes/project/share_keys.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

json list_or_null(const std::optional<std::vector<std::string>>& list) {
    return list ? json(*list) : json(nullptr);
}

json key_json(const ProjectKey& key) {
    return {{"id", key.record.id},
            {"name", key.name},
            {"kind", base::word(key.record.kind)},
            {"keyPrefix", key.record.prefix},
            {"origins", key.record.origins},
            {"tools", list_or_null(key.record.tools)},
            {"models", list_or_null(key.record.models)},
            {"createdAt", key.created_at},
            {"createdBy", key.made_by.empty()
                              ? json(nullptr)
                              : json{{"userId", key.made_by}, {"email", key.made_by_email}}}};
}

// True for an origin as browsers send it: scheme, host and port, nothing more.
bool plain_origin(const std::string& origin) {
    const auto scheme = origin.find("://");
    if (origin == "*") return true;
    return scheme != std::string::npos && scheme > 0 && scheme + 3 < origin.size() &&
           origin.find_first_of("/?#@ ", scheme + 3) == std::string::npos;
}

// The app's own hosts: where it answers now, or will after a first deploy.
std::vector<std::string> own_origins(Context& context, const Project& project) {
    const std::string name = Deployments(context.store).live_name(project.id, Env::prod);
    return {preview_url(context.config, project.slug),
            published_url(context.config, name.empty() ? project.slug : name)};
}

// A server's program has no origin, so an origin would promise a limit that does not exist.
void refuse_origins(Fields& fields) {
    const auto origins = fields.texts("origins");
    if (origins && !origins->empty())
        fields.wrong("origins",
                     "Only browser keys have origins. Leave origins out, or create a browser key.");
}

std::vector<std::string> take_origins(Context& context, const Project& project, Fields& fields) {
    auto origins = fields.texts("origins");
    if (!origins) return own_origins(context, project);
    for (auto& origin : *origins) {
        if (origin.ends_with('/')) origin.pop_back();
        if (!plain_origin(origin))
            fields.wrong(
                "origins",
                "'" + origin + "' is not an origin. Write https://host or https://host:port.");
    }
    if (origins->empty()) fields.wrong("origins", "A browser key needs at least one origin.");
    return *origins;
}

// Nothing: answered.
std::optional<MintedKey> give(Context& context, const NewKey& wanted, Response& response) {
    auto minted = mint_key(context.store, wanted);
    if (!minted) {
        response.not_found("Project");
        return std::nullopt;
    }
    context.directory.add_key(minted->key);
    context.apps.share_keys(wanted.project_id);
    // A revocation in the meantime did not find the key in the directory yet.
    const auto is_it = [&](const ProjectKey& key) {
        return key.record.id == minted->key.record.id;
    };
    if (std::ranges::none_of(project_keys(context.store, wanted.project_id), is_it))
        context.directory.remove_key(minted->key.record.id);
    return minted;
}

void create_key(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    NewKey wanted;
    wanted.project_id = request.project->id;
    wanted.user_id = request.caller.user_id;
    wanted.name = fields.required_text("name", 1, 80);
    const std::string word = fields.required_text("kind", 1, 20);
    const auto kind = base::read_word<KeyKind>(word);
    wanted.kind = kind.value_or(KeyKind::browser);
    if (kind == KeyKind::browser)
        wanted.origins = take_origins(context, *request.project, fields);
    else if (kind == KeyKind::server)
        refuse_origins(fields);
    else if (!word.empty())
        fields.wrong("kind", "Must be browser or server.");
    wanted.tools = fields.texts("tools");
    wanted.models = fields.texts("models");
    if (!fields.good(response)) return;
    const auto minted = give(context, wanted, response);
    if (!minted) return;
    json body = {{"key", minted->value}};
    body.update(key_json(minted->key));
    response.send(201, body);
}

void list_keys(Context& context, const Request& request, Response& response) {
    json keys = json::array();
    for (const auto& key : project_keys(context.store, request.project->id))
        if (key.record.kind != KeyKind::preview) keys.push_back(key_json(key));
    response.send(200, {{"keys", keys}});
}

void revoke_key(Context& context, const Request& request, Response& response) {
    const std::string& id = request.params.at("key");
    const std::string& project = request.project->id;
    const bool revoked = base::is_uuid(id) && delete_key(context.store, project, id);
    // The key was revoked before, but some server did not get the change yet: send it again.
    if (!revoked && !unsent_changes(context.store, Unsent::keys, project))
        return response.not_found("Key");
    if (revoked) context.directory.remove_key(id);
    if (!context.apps.share_keys(project)) return answer_unsent("The key", response);
    if (!revoked) return response.not_found("Key");
    response.send(200, {{"revoked", id}});
}

void adopt_key(Context& context, const Request& request, Response& response) {
    const std::string& id = request.params.at("key");
    const auto key = base::is_uuid(id)
                         ? adopt_key(context.store, request.project->id, id, request.caller.user_id)
                         : std::nullopt;
    if (!key) return response.not_found("Key");
    response.send(200, key_json(*key));
}

void preview_token(Context& context, const Request& request, Response& response) {
    NewKey wanted;
    wanted.project_id = request.project->id;
    wanted.user_id = request.caller.user_id;
    wanted.name = "preview";
    wanted.kind = KeyKind::preview;
    wanted.origins = {"*"};
    const auto minted = give(context, wanted, response);
    if (!minted) return;
    response.send(200, {{"token", minted->value}, {"expiresAt", minted->key.record.expires_at}});
}

}  // namespace

void bind_keys(RouteTable& table) {
    table.add({"POST", "/projects/:id/keys", Need::session, Role::developer, create_key});
    table.add({"GET", "/projects/:id/keys", Need::any, Role::viewer, list_keys});
    table.add({"DELETE", "/projects/:id/keys/:key", Need::apply, Role::developer, revoke_key});
    table.add({"POST", "/projects/:id/keys/:key/adopt", Need::session, Role::admin, adopt_key});
    table.add({"POST", "/projects/:id/preview-token", Need::any, Role::viewer, preview_token});
}

}  // namespace svc::devapi
