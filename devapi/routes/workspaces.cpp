// Workspaces, who works in them, and what they did.
#include "http/fields.hpp"
#include "json/formats.hpp"
#include "platform/audit.hpp"
#include "platform/crypto.hpp"
#include "platform/members.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualEntries = 50, kMostEntries = 200;

// The caller's role in the workspace of the path; none: answered 404, or 403 where it is below
// `least`.
std::optional<Role> role_here(Context& context, const Request& request, Role least,
                              Response& response) {
    const std::string& id = request.params.at("workspace");
    const std::string& pinned = request.caller.workspace_id;
    const bool reachable = svc::json::is_uuid(id) && (pinned.empty() || pinned == id);
    const auto role = reachable ? role_in(context.store, request.caller.user_id, id) : std::nullopt;
    if (!role) {
        response.not_found("Workspace");
        return std::nullopt;
    }
    response.workspace_id = id;
    if (*role >= least) return role;
    response.refuse(Code::forbidden_role, "This needs the role " + std::string(name(least)) +
                                              " in the workspace; yours is " +
                                              std::string(name(*role)) + ".");
    return std::nullopt;
}

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
    if (!role_here(context, request, Role::viewer, response)) return;
    json list = json::array();
    for (const auto& member : members(context.store, request.params.at("workspace")))
        list.push_back({{"userId", member.user_id},
                        {"email", member.email},
                        {"role", name(member.role)},
                        {"joinedAt", member.joined_at},
                        {"pending", member.pending}});
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

json text_or_nothing(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json entry_json(const AuditEntry& entry) {
    return {{"id", entry.id},
            {"at", entry.at},
            {"userId", text_or_nothing(entry.user_id)},
            {"email", entry.email},
            {"auth", entry.auth},
            {"projectId", text_or_nothing(entry.project_id)},
            {"action", entry.action},
            {"target", entry.target},
            {"address", entry.address},
            {"status", entry.status},
            {"code", text_or_nothing(entry.code)}};
}

// A whole number from 1; `usual` where the query has none. 0: it is something else.
std::int64_t number(const Request& request, const char* name, std::int64_t usual) {
    const std::string text = query_value(request.query, name);
    if (text.empty()) return usual;
    const bool digits =
        text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stoll(text) : 0;
}

void show_audit(Context& context, const Request& request, Response& response) {
    if (!role_here(context, request, Role::admin, response)) return;
    constexpr std::int64_t kNewest = 1'000'000'000'000'000'000;
    const std::int64_t limit = number(request, "limit", kUsualEntries),
                       before = number(request, "before", kNewest);
    const std::string project = query_value(request.query, "project");
    Fields fields(Request{});
    if (limit < 1 || limit > kMostEntries)
        fields.wrong("limit",
                     "Must be a whole number from 1 to " + std::to_string(kMostEntries) + ".");
    if (before < 1) fields.wrong("before", "Must be the id of an entry.");
    if (!project.empty() && !svc::json::is_uuid(project))
        fields.wrong("project", "Must be a uuid.");
    if (!fields.good(response)) return;
    json entries = json::array();
    for (const auto& entry : read_audit(context.store, {request.params.at("workspace"), project,
                                                        before, static_cast<int>(limit)}))
        entries.push_back(entry_json(entry));
    response.send(200, {{"entries", entries}});
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
    table.add({"GET", "/workspaces/:workspace/audit", Need::any, Role::viewer, show_audit});
}

}  // namespace svc::devapi
