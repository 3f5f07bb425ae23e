// The checks that every route with an app key makes first, in this order: key, environment, data
// marker, origin, budget. None of them waits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "http/exchange.hpp"
#include "identity/budget.hpp"
#include "identity/key/key_store.hpp"
#include "identity/result.hpp"

namespace svc::identity {

enum class Marker : bool { not_needed, needed };

// The app's own pages send x-svc-page: 1 instead of a key. They may do what this key may.
struct OwnPages {
    std::shared_ptr<const AppKey> key;  // null: it has no pages
    std::vector<std::string> hosts;     // where they stand; empty: on every host
};

class Gate {
  public:
    // `env` is the environment that this server is.
    Gate(const KeyStore& keys, Budget& budget, Env env, OwnPages own = {});

    // The key, if the request passes all checks. Counts the request, unless it was counted before.
    Result<std::shared_ptr<const AppKey>> enter(const http::Head& head, Marker marker,
                                                bool counted = true);

  private:
    Result<std::shared_ptr<const AppKey>> key_of(const http::Head& head) const;

    const KeyStore& keys_;
    Budget& budget_;
    const Env env_;
    const OwnPages own_;
};

// Checks that a server's own code makes the call: with a server key, and without an app session.
Result<void> check_server_key(const http::Head& head, const AppKey& key);

// Checks a state-changing call whose session came by cookie: its Origin must be the site itself or
// one that the key names.
Result<void> check_cookie_use(const http::Head& head, const AppKey& key);

}  // namespace svc::identity
