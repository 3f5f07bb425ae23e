// Where an environment of a project answers.
#pragma once

#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct Site {
    std::string label;                 // answers on <label>.<apps domain>
    std::vector<std::string> domains;  // and on these hosts
};

// dev: its preview host. Else what is live, or what a deploy under way holds; label empty: nothing.
Site site_of(Store& store, const ProjectRef& project, Env env);

}  // namespace svc::devapi
