#include "ops/shared.hpp"

#include <map>
#include <mutex>

namespace svc::ops {

std::shared_ptr<Shared> shared_by(const Settings& settings) {
    static std::mutex mutex;
    static std::map<const Settings*, std::weak_ptr<Shared>> known;
    const std::lock_guard lock(mutex);
    std::weak_ptr<Shared>& held = known[&settings];
    auto shared = held.lock();
    if (!shared) held = shared = std::make_shared<Shared>(settings);
    return shared;
}

}  // namespace svc::ops
