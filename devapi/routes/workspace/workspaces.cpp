// Workspaces, and who works in them.
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/formats.hpp"
#include "http/fields.hpp"
#include "platform/workspace/demands.hpp"
#include "platform/workspace/invitations.hpp"
#include "platform/workspace/members.hpp"
#include "routes/project/share_keys.hpp"
#include "routes/routes.hpp"
#include "routes/workspace/workspace_role.hpp"

namespace svc::devapi {
namespace {

std::optional<Role> take_role(Fields& fields) {
    const std::string text = fields.required_text("role", 1, 20);
    if (const auto role = base::read_word<Role>(text)) return role;
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
            return response.refuse(DevCode::forbidden_role,
                                   "Only an owner may add, change or remove an owner. Nobody may "
                                   "give a role above their own.");
        case MemberChange::last_owner:
            return response.refuse(Code::last_owner,
                                   "This is the last owner. Make another member an owner first.");
        case MemberChange::taken:
            return response.refuse(Code::conflict, "This person is already a member.");
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

json joined_or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

void list_members(Context& context, const Request& request, Response& response) {
    const auto role = role_here(context, request, Role::viewer, response);
    if (!role) return;
    const std::string& workspace = request.params.at("workspace");
    const auto safe = with_factor(context.store, workspace);
    json list = json::array();
    for (const auto& member : members(context.store, workspace)) {
        json one = {{"userId", member.id},
                    {"email", member.email},
                    {"role", name(member.role)},
                    {"joinedAt", joined_or_null(member.joined_at)},
                    {"pending", member.pending()}};
        if (member.pending()) one["linkExpiresAt"] = member.expires_at;
        if (!member.mail.empty()) one["mail"] = member.mail;
        if (*role >= Role::admin && !member.pending()) one["mfa"] = safe.contains(member.email);
        list.push_back(std::move(one));
    }
    response.send(200, {{"members", list}});
}

std::string workspace_name(Context& context, const Request& request) {
    for (const auto& one : memberships(context.store, request.caller.user_id))
        if (one.workspace_id == request.params.at("workspace")) return one.workspace_name;
    return {};
}

// The name is somebody's text in our mail: it stays on its line.
InvitationMail mail_of(std::string workspace, const std::string& inviter, Role role,
                       const std::string& url) {
    for (char& c : workspace)
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return {"Join " + workspace,
            inviter + " invites you to work in the workspace \"" + workspace + "\" as " +
                std::string(name(role)) + ".\n\nTo accept, open this link within 7 days:\n\n" +
                url +
                "\n\nThe link works once and proves that this address is yours. Do not pass it " +
                "on. If you did not expect this mail, ignore it.\n"};
}

// Mails to one address are bounded, whether it has an account or not. False: answered.
bool may_mail(Context& context, const Request& request, const std::string& email,
              Response& response) {
    return context.limits.allows(DevLimits::Kind::mails, request.caller.user_id + ' ' + email,
                                 response) &&
           context.limits.allows(DevLimits::Kind::mailboxes, email, response);
}

void invite_member(Context& context, const Request& request, Response& response) {
    const auto by = role_here(context, request, Role::admin, response);
    if (!by) return;
    Fields fields(request);
    const std::string email = normal_email(fields.required_text("email", 1, 254));
    if (!email.empty() && !plausible_email(email)) fields.wrong("email", kNoEmail);
    const auto role = take_role(fields);
    if (!fields.good(response)) return;
    if (!context.limits.allows(DevLimits::Kind::invitations, request.caller.user_id, response))
        return;
    const bool mails = context.mailer.delivers();
    if (mails && !may_mail(context, request, email, response)) return;
    NewInvitation wanted{
        request.params.at("workspace"),          email,       *role, request.caller.user_id, *by,
        base::base64url(base::random_bytes(32)), std::nullopt};
    const std::string url = context.config.public_url() + "/join?token=" + wanted.link;
    if (mails)
        wanted.mail = mail_of(workspace_name(context, request), request.caller.email, *role, url);
    const InviteResult invited = invite(context.store, wanted);
    if (invited.change != MemberChange::done) return refuse_change(invited.change, response);
    if (mails) context.mailer.wake();
    const json shown = mails ? json(nullptr) : json(url);
    // Both members have the same value, also if there is an account: older clients read setupUrl.
    response.send(201, {{"userId", invited.id},
                        {"joinUrl", shown},
                        {"setupUrl", shown},
                        {"pending", true},
                        {"mailed", mails}});
}

json ended_json(const std::vector<EndedKey>& keys) {
    json out = json::array();
    for (const auto& key : keys)
        if (key.kind != KeyKind::preview)
            out.push_back({{"id", key.id},
                           {"name", key.name},
                           {"kind", base::word(key.kind)},
                           {"projectId", key.project_id},
                           {"project", key.project_name}});
    return out;
}

void change_member(Context& context, const Request& request, Response& response) {
    const auto by = role_here(context, request, Role::admin, response);
    if (!by) return;
    const std::string& user = request.params.at("user");
    Fields fields(request);
    const auto role = take_role(fields);
    if (!base::is_uuid(user)) return response.not_found("Member");
    if (!fields.good(response)) return;
    const MemberChangeResult changed = set_role(context.store, request.params.at("workspace"), user,
                                                *role, {request.caller.user_id, *by});
    if (changed.change != MemberChange::done) return refuse_change(changed.change, response);
    if (!forget_keys(context, changed.keys))
        return answer_unsent("The right to manage the keys", response);
    response.send(
        200, {{"userId", user}, {"role", name(*role)}, {"keysEnded", ended_json(changed.keys)}});
}

void remove_member(Context& context, const Request& request, Response& response) {
    const std::string& user = request.params.at("user");
    const bool self = user == request.caller.user_id;
    const auto by = role_here(context, request, self ? Role::viewer : Role::admin, response);
    if (!by) return;
    if (!base::is_uuid(user)) return response.not_found("Member");
    const MemberChangeResult changed = remove_member(context.store, request.params.at("workspace"),
                                                     user, {request.caller.user_id, *by});
    if (changed.change != MemberChange::done) return refuse_change(changed.change, response);
    if (!forget_keys(context, changed.keys)) return answer_unsent("The membership", response);
    response.send(200, {{"removed", user}, {"keysEnded", ended_json(changed.keys)}});
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
