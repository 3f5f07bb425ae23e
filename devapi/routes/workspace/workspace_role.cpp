#include "routes/workspace/workspace_role.hpp"

#include "base/formats.hpp"
#include "calls/context.hpp"
#include "platform/workspace/demands.hpp"

namespace svc::devapi {

std::optional<Role> role_here(Context& context, const Request& request, Role least,
                              Response& response) {
    const std::string& id = request.params.at("workspace");
    const std::string& pinned = request.caller.workspace_id;
    const bool reachable = base::is_uuid(id) && (pinned.empty() || pinned == id);
    const auto role = reachable ? role_in(context.store, request.caller.user_id, id) : std::nullopt;
    if (!role) {
        response.not_found("Workspace");
        return std::nullopt;
    }
    response.workspace_id = id;
    if (kept_out(context.store, request.caller, id)) {
        refuse_without_factor(response);
        return std::nullopt;
    }
    if (*role >= least) return role;
    response.refuse(DevCode::forbidden_role, "This needs the role " + std::string(name(least)) +
                                                 " in the workspace. Your role is " +
                                                 std::string(name(*role)) + ".");
    return std::nullopt;
}

}  // namespace svc::devapi
