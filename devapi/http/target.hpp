// Decides by host, path and app key whether a request is for the platform, an app, or nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "platform/project/directory.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

struct Target {
    enum class Kind { platform, app, migration, preflight, refused } kind = Kind::platform;
    std::string project;  // app; migration: svcd answers in its place
    Env env = Env::dev;
    Error error;  // refused; answered in the envelope of the runtime API
};

// True if an app belongs, also while its server is starting.
using HasApp = std::function<bool(const std::string& project, Env env)>;

Target find_target(const http::Head& head, const Config& config, const Directory& directory,
                   const HasApp& has_app);

// What http::Service asks every process that finds targets; the app's own server answers the same.
bool credentials_in_query(const http::Head& head);

// Answers a browser's preflight, which has no key. The project is not known yet, so every origin
// that some key allows may continue; the app decides about the call itself.
void preflight(const http::Head& head, const Directory& directory, http::Reply& reply);

// The head at the begin of a connection's unread bytes, which a session has guarded before. None
// if it is not complete. Views into `unread`.
std::optional<http::Head> read_head(std::string_view unread);

}  // namespace svc::devapi
