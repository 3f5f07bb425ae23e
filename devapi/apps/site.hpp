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

// For dev its preview host. Otherwise the live name, or the name that a running deploy holds. Empty
// label: none.
Site site_of(Store& store, const ProjectRef& project, Env env);

}  // namespace svc::devapi
