// Workspaces, and who works in them.
#include "http/fields.hpp"
#include "json/formats.hpp"
#include "platform/crypto.hpp"
#include "platform/demands.hpp"
#include "platform/members.hpp"
#include "routes/routes.hpp"
#include "routes/workspace_role.hpp"

namespace svc::devapi {
namespace {

std::optional<Role> take_role(Fields& fields) {
    const std::string text = fields.required_text("role", 1, 20);
    for (const Role role : {Role::viewer, Role::developer, Role::admin, Role::owner})
        if (name(role) == text) return role;
    if (!text.empty()) fields.wrong("role", "Must be owner, admin, developer or viewer.");
    return std::nullopt;
}

void refuse_change(MemberChange change, Response& response) {
    switch (change) {
        case MemberChange::done:
            return;
        case MemberChange::unknown:
            return response.not_found("Member");
        case MemberChange::above:
            return response.refuse(Code::forbidden_role,
                                   "Only an owner makes, changes or removes an owner, and nobody "
                                   "gives a role above their own.");
        case MemberChange::last_owner:
            return response.refuse(Code::last_owner,
                                   "This is the last owner; make somebody else an owner first.");
        case MemberChange::taken:
            return response.refuse(Code::conflict, "This person is a member already.");
        case MemberChange::elsewhere:
            return response.refuse(Code::conflict,
                                   "This address was invited by another workspace and has not "
                                   "set up its account yet.");
    }
}

void create_workspace(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string name = fields.required_text("name", 1, 100);
    if (!fields.good(response)) return;
    if (!context.limits.allows(DevLimits::Kind::workspaces, request.caller.user_id, response))
        return;
    const std::string id = create_workspace(context.store, request.caller.user_id, name);
    response.workspace_id = id;
    response.send(201, {{"workspace", {{"id", id}, {"name", name}, {"role", "owner"}}}});
}

void list_members(Context& context, const Request& request, Response& response) {
    const auto role = role_here(context, request, Role::viewer, response);
    if (!role) return;
    const std::string& workspace = request.params.at("workspace");
    const auto safe = with_factor(context.store, workspace);
    json list = json::array();
    for (const auto& member : members(context.store, workspace)) {
        list.push_back({{"userId", member.user_id},
                        {"email", member.email},
                        {"role", name(member.role)},
                        {"joinedAt", member.joined_at},
                        {"pending", member.pending}});
        if (*role >= Role::admin) list.back()["mfa"] = safe.contains(member.email);
    }
    response.send(200, {{"members", list}});
}

void invite_member(Context& context, const Request& request, Response& response) {
    const auto by = role_here(context, request, Role::admin, response);
    if (!by) return;
    Fields fields(request);
    const std::string email = normal_email(fields.required_text("email", 1, 254));
    if (!email.empty() && !plausible_email(email)) fields.wrong("email", "Is no e-mail address.");
    const auto role = take_role(fields);
    if (!fields.good(response)) return;
    if (!context.limits.allows(DevLimits::Kind::invitations, request.caller.user_id, response))
        return;
    const Invited invited =
        invite(context.store, request.params.at("workspace"), email, *role, *by);
    if (invited.change != MemberChange::done) return refuse_change(invited.change, response);
    const json url = invited.setup.empty()
                         ? json(nullptr)
                         : json(context.config.public_url() + "/setup?token=" + invited.setup);
    response.send(201, {{"userId", invited.user_id}, {"setupUrl", url}});
}

void change_member(Context& context, const Request& request, Response& response) {
    const auto by = role_here(context, request, Role::admin, response);
    if (!by) return;
    const std::string& user = request.params.at("user");
    Fields fields(request);
    const auto role = take_role(fields);
    if (!svc::json::is_uuid(user)) return response.not_found("Member");
    if (!fields.good(response)) return;
    const auto change = set_role(context.store, request.params.at("workspace"), user, *role, *by);
    if (change != MemberChange::done) return refuse_change(change, response);
    response.send(200, {{"userId", user}, {"role", name(*role)}});
}

void remove_member(Context& context, const Request& request, Response& response) {
    const std::string& user = request.params.at("user");
    const bool self = user == request.caller.user_id;
    const auto by = role_here(context, request, self ? Role::viewer : Role::admin, response);
    if (!by) return;
    if (!svc::json::is_uuid(user)) return response.not_found("Member");
    const auto change =
        remove_member(context.store, request.params.at("workspace"), user, *by, self);
    if (change != MemberChange::done) return refuse_change(change, response);
    response.send(200, {{"removed", user}});
}

}  // namespace

void bind_workspaces(RouteTable& table) {
    const char *one = "/workspaces/:workspace/members/:user",
               *all = "/workspaces/:workspace/members";
    table.add({"POST", "/workspaces", Need::session, Role::viewer, create_workspace});
    table.add({"GET", all, Need::session, Role::viewer, list_members});
    table.add({"POST", all, Need::session, Role::viewer, invite_member});
    table.add({"PUT", one, Need::session, Role::viewer, change_member});
    table.add({"DELETE", one, Need::session, Role::viewer, remove_member});
}

}  // namespace svc::devapi
