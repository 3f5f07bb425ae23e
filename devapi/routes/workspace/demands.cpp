// The demands of a workspace's owners on its members.
#include "platform/workspace/demands.hpp"

#include "http/fields.hpp"
#include "routes/routes.hpp"
#include "routes/workspace/workspace_role.hpp"

namespace svc::devapi {
namespace {

void change_workspace(Context& context, const Request& request, Response& response) {
    if (!role_here(context, request, Role::owner, response)) return;
    Fields fields(request);
    const auto required = fields.boolean("requireMfa");
    if (!fields.has("requireMfa")) fields.wrong("requireMfa", "Is required: true or false.");
    if (!fields.good(response)) return;
    if (*required && !request.caller.second_factor)
        return response.refuse(Code::mfa_required,
                               "You can only require a second factor if you have one. Enrol yours "
                               "first, with svc mfa enroll.");
    const std::string& id = request.params.at("workspace");
    set_demand(context.store, id, *required);
    response.send(200, {{"workspace", {{"id", id}, {"requireMfa", *required}}}});
}

}  // namespace

void bind_demands(RouteTable& table) {
    table.add({"PATCH", "/workspaces/:workspace", Need::session, Role::viewer, change_workspace});
}

}  // namespace svc::devapi
