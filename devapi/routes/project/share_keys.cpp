#include "routes/project/share_keys.hpp"

#include <set>

#include "calls/context.hpp"
#include "platform/keys/keys.hpp"
namespace svc::devapi {

bool forget_keys(Context& context, const std::vector<EndedKey>& keys) {
    std::set<std::string> projects;
    for (const auto& key : keys) {
        context.directory.remove_key(key.id);
        projects.insert(key.project_id);
    }
    bool sent = true;
    for (const auto& project : projects) sent = context.apps.share_keys(project) && sent;
    return sent;
}

void answer_unsent(const char* what, Response& response) {
    response.header("Retry-After", "5");
    response.refuse(Code::unavailable,
                    std::string(what) +
                        " has ended, but a running server of the app has not confirmed it yet. svc "
                        "keeps trying. Send this again to see whether it is done.");
}

}  // namespace svc::devapi
