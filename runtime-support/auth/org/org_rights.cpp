#include "auth/org/org_rights.hpp"

namespace svc::auth::org {

bool has_role(const App& app, std::string_view role) {
    for (const std::string_view known : app.org_roles)
        if (known == role) return true;
    return false;
}

identity::Refusal forbidden(std::string message) {
    return identity::refusal(Code::org_forbidden, std::move(message));
}

identity::Result<void> check_enabled(const Call& call) {
    if (!call.in.app.org_roles.empty()) return {};
    return identity::refusal(Code::not_found, "This app has no organisations.");
}

identity::Result<std::string> current_org(const Call& call) {
    if (auto on = check_enabled(call); !on) return on.error();
    const auto& org = call.caller->user->org_id;
    if (!org) return forbidden("Choose an organisation first: POST /orgs/switch.");
    return *org;
}

identity::Result<std::string> managed_org(const Call& call) {
    auto org = current_org(call);
    if (!org) return org;
    const std::string& role = call.caller->user->org_role;
    if (role != kOwner && role != kAdmin)
        return forbidden("Only owners and admins of the organisation may do this.");
    return org;
}

}  // namespace svc::auth::org
