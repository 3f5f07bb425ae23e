// The app's keys, held in memory: svc.app_key as it was at the last reload.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/sha256.hpp"
#include "db/pool.hpp"
#include "identity/caller.hpp"
#include "identity/token.hpp"

namespace svc::identity {

// The id of the key of the app's own pages. No table lists that key and nobody can send it.
inline constexpr std::string_view kOwnPagesId = "pages";

class KeyStore {
  public:
    using Time = std::chrono::system_clock::time_point;
    using SteadyTime = std::chrono::steady_clock::time_point;
    struct Entry {
        std::shared_ptr<const AppKey> key;
        std::optional<Time> expires_at;
    };
    // Keys by the SHA-256 of their whole value.
    using Entries = std::unordered_map<base::Digest, Entry, base::DigestHash>;

    explicit KeyStore(Entries entries = {});

    // Reads every key that has not expired. If the database does not answer, keeps the old keys and
    // throws std::runtime_error.
    Task<> reload(db::Pool& system);

    // False if the last reading is more than a minute old, because a key that has ended since would
    // still be accepted. Readings come every few seconds (ops/upkeep.hpp).
    bool trusted(SteadyTime now = std::chrono::steady_clock::now()) const;

    // Null if there is no such valid key. Takes equally long for a known and an unknown value.
    std::shared_ptr<const AppKey> find(std::string_view bearer,
                                       Time now = std::chrono::system_clock::now()) const;

    // True if the key with this id is valid.
    bool has(std::string_view id, Time now = std::chrono::system_clock::now()) const;

    // True if some key of this app may be used from this origin: what a preflight may say, since
    // a preflight carries no key.
    bool any_bound_to(std::string_view origin, Time now = std::chrono::system_clock::now()) const;
    // As any_bound_to, without origins that only "*" allows.
    bool any_names(std::string_view origin, Time now = std::chrono::system_clock::now()) const;

  private:
    std::shared_ptr<const Entries> entries() const;

    mutable std::mutex mutex_;
    std::shared_ptr<const Entries> entries_;
    SteadyTime read_at_ = std::chrono::steady_clock::now();  // when that reading was asked for
};

// True if this key may be used from a page of this origin.
bool usable_from(const AppKey& key, std::string_view origin);

}  // namespace svc::identity
