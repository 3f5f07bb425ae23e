#include "routes/share_keys.hpp"

#include "platform/keys.hpp"

namespace svc::devapi {

void share_keys(Context& context, const std::string& project) {
    const std::lock_guard lock(context.key_lists);
    context.apps.set_keys(project, records(project_keys(context.store, project)));
}

}  // namespace svc::devapi
