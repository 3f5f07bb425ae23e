// Whose a request is: the platform's own, an app's, or nobody's. Decided by host, path and app key.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "platform/directory.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

struct Target {
    enum class Kind { platform, app, migration, preflight, refused } kind = Kind::platform;
    std::string project, env;  // app; migration: svcd answers in its place
    Error error;               // refused; answered in the envelope of the runtime API
};

// True if an app belongs, also while its server is starting.
using HasApp = std::function<bool(const std::string& project, const std::string& env)>;

Target find_target(const http::Head& head, const Config& config, const Directory& directory,
                   const HasApp& has_app);

// What a browser asks before it sends a key. Which project it will name is not known yet: any
// origin that some key is bound to may go on; the app decides on the call itself.
void preflight(const http::Head& head, const Directory& directory, http::Reply& reply);

// The head at the begin of a connection's unread bytes, which a session has guarded before. None
// if it is not complete. Views into `unread`.
std::optional<http::Head> read_head(std::string_view unread);

}  // namespace svc::devapi
