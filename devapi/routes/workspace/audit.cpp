// The audit of a workspace.
#include "platform/audit.hpp"

#include "base/formats.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"
#include "routes/workspace/workspace_role.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualAudited = 50, kMostAudited = 200;

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
    const std::int64_t limit = number(request, "limit", kUsualAudited),
                       before = number(request, "before", kNewest);
    const std::string project = query_value(request.query, "project");
    Fields fields(Request{});
    if (limit < 1 || limit > kMostAudited)
        fields.wrong("limit",
                     "Must be a whole number from 1 to " + std::to_string(kMostAudited) + ".");
    if (before < 1) fields.wrong("before", "Must be the id of an entry.");
    if (!project.empty() && !base::is_uuid(project)) fields.wrong("project", "Must be a uuid.");
    if (!fields.good(response)) return;
    json entries = json::array();
    for (const auto& entry : read_audit(context.store, {request.params.at("workspace"), project,
                                                        before, static_cast<int>(limit)}))
        entries.push_back(entry_json(entry));
    response.send(200, {{"entries", entries}});
}

}  // namespace

void bind_audit(RouteTable& table) {
    table.add({"GET", "/workspaces/:workspace/audit", Need::any, Role::viewer, show_audit},
              {"limit", "before", "project"});
}

}  // namespace svc::devapi
