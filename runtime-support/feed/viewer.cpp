#include "feed/viewer.hpp"

namespace svc::feed {

Viewer viewer_of(const Caller& caller) {
    Viewer viewer;
    viewer.principals = caller.principals;
    if (!caller.persona.empty()) viewer.persona = std::string_view(caller.persona);
    if (caller.org_id) viewer.org = std::string_view(*caller.org_id);
    if (!caller.user) return viewer;
    viewer.id = std::string_view(caller.user->id);
    viewer.email = std::string_view(caller.user->email);
    viewer.is_admin = caller.user->is_admin;
    return viewer;
}

Text value_of(const Viewer& viewer, ReadKey::Of of) {
    if (of == ReadKey::id) return viewer.id;
    return of == ReadKey::org ? viewer.org : viewer.email;
}

}  // namespace svc::feed
