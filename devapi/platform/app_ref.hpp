// Names of an app, its project and its keys, for code that needs nothing else of them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "identity/key_kind.hpp"

namespace svc::devapi {

using AppId = std::pair<std::string, Env>;  // project, environment

struct ProjectRef {
    std::string id;  // uuid
    std::string slug;
};

struct KeyRecord {  // as svc.app_key holds it
    std::string id;
    KeyKind kind = KeyKind::browser;
    std::string hash_hex, prefix;
    std::vector<std::string> origins;
    std::optional<std::vector<std::string>> tools, models;
    std::string expires_at;  // empty: never
    // Requests of the project with keys of this kind; none: the server's own setting.
    std::optional<int> per_minute = {};
};

}  // namespace svc::devapi
