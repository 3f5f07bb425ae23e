#include "routes/share_keys.hpp"

#include <set>

#include "calls/context.hpp"
#include "platform/keys.hpp"

namespace svc::devapi {

void share_keys(Context& context, const std::string& project) {
    const std::lock_guard lock(context.key_lists);
    context.apps.set_keys(project, records(project_keys(context.store, project)));
}

void forget_keys(Context& context, const std::vector<EndedKey>& keys) {
    std::set<std::string> projects;
    for (const auto& key : keys) {
        context.directory.remove_key(key.id);
        projects.insert(key.project_id);
    }
    for (const auto& project : projects) share_keys(context, project);
}

}  // namespace svc::devapi
