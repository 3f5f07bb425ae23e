// Secrets of projects: written once, read only by svcd, never shown. Sealed under a key that is
// made from the master key; the key's id is stored with each value.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Lower case, without a port. None: the hosts are not set yet.
using SecretHosts = std::optional<std::vector<std::string>>;

// The environments in which a secret's value is used.
enum class SecretEnv : std::uint8_t { dev, prod, all };

struct SecretRecord {
    std::string name;
    SecretEnv env = SecretEnv::all;
    std::string updated_at;
    SecretHosts hosts = {};
};

// A contract sends a secret to a host. `env`: the environment where that contract is live, if it
// matters.
struct SentSecret {
    std::string name, host;
    std::optional<SecretEnv> env = {};
};

class Secrets {
  public:
    Secrets(Store& store, const std::string& master_key);

    struct Stored {
        bool created = false;
        std::string updated_at;
        SecretHosts hosts;
    };
    // Without `hosts` those that it has stay; if it has none, it gets those of keep_sent().
    Stored put(const std::string& project, const std::string& name, SecretEnv env,
               const std::string& value, const SecretHosts& hosts = {});
    // `live`: all that the contract of dev sends now; `said`: what of it came in by this change, of
    // somebody who may set secrets. Secrets without hosts get the hosts that were said, in every
    // environment, and so do values that come later: for as long as the contract sends them there.
    static void keep_sent(pqxx::work& tx, const std::string& project,
                          const std::vector<SentSecret>& live, const std::vector<SentSecret>& used);
    // For secrets from before hosts existed: has_older() tells whether the project has any; the
    // other function limits each secret to the hosts that its environments send it to.
    bool has_older(const std::string& project) const;
    void bind_older(const std::string& project, const std::vector<SentSecret>& live) const;
    // Adds hosts to those of the environment's own value. None if it has no such value.
    std::optional<SecretRecord> allow(const std::string& project, const std::string& name,
                                      SecretEnv env, const std::vector<std::string>& hosts) const;
    // The record whose value is used in `env`: its own one, otherwise that for all environments.
    std::optional<SecretRecord> find(const std::string& project, const std::string& name,
                                     SecretEnv env) const;
    // True if the member who started this apply may set the project's secrets, and so decide where
    // they may be sent. `apply_run`: the id of its row.
    bool set_by_who_began(const std::string& apply_run) const;
    std::vector<SecretRecord> list(const std::string& project) const;  // by name
    // The environments that had a value. No `env`: all of them.
    std::vector<std::string> remove(const std::string& project, const std::string& name,
                                    std::optional<SecretEnv> env);
    // Seals all values of `old` again under this key, all or none. Returns their number.
    std::size_t reseal(const Secrets& old);
    // The value that is used in `env`: its own one, otherwise that for all environments. None if
    // there is none, or if another master key sealed it; then a warning is logged.
    std::optional<std::string> value(const std::string& project, const std::string& name,
                                     SecretEnv env) const;

  private:
    Store& store_;
    const std::string key_, key_id_;
};

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::SecretEnv> {
    static constexpr std::array<std::string_view, 3> kAll = {"dev", "prod", "all"};
};
