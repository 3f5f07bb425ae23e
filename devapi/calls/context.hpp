// The services that the handlers of the developer API use. svcd has one; every member is safe for
// all worker threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "apps/apps.hpp"
#include "browser/browser.hpp"
#include "calls/concurrency_limit.hpp"
#include "calls/dev_limits.hpp"
#include "platform/account/credentials.hpp"
#include "platform/account/login_throttle.hpp"
#include "platform/account/sign_in_notes.hpp"
#include "platform/factor/factors.hpp"
#include "platform/keys/secrets.hpp"
#include "platform/mail/mailer.hpp"
#include "platform/project/directory.hpp"
#include "platform/store.hpp"
#include "settings/config.hpp"
#include "settings/platform_hosts.hpp"

namespace svc::devapi {

class RouteTable;

// A caller who follows something occupies a thread.
inline constexpr int kFollowers = 16;

struct Context {
    const Config& config;
    Store& store;
    Directory& directory;
    Apps& apps;
    const SessionSigner& signer;
    Secrets& secrets;
    Factors& factors;
    LoginThrottle throttle;
    std::array<std::atomic<std::uint64_t>, 6>
        answers{};                    // developer API, by first digit of the status
    std::atomic<int> followers{0};    // of event streams that have no end of their own
    ConcurrencyLimit operations{3};   // SQL and rows of a workspace that run at a time
    const RouteTable* api = nullptr;  // once the service is there: what tools call
    DevLimits limits = {};
    SignInNotes sign_in_notes{store};
    // Codes of second factors at sign-ins. An attacker who knows a password needs many networks to
    // lock its owner out.
    LoginThrottle code_throttle{{10, 100, 30}};
    Mailer mailer{store, config.smtp_url, public_host(config)};
    Browser browser{config};
};

}  // namespace svc::devapi
