// Secrets of projects: written once, read by svcd alone, told to nobody. Sealed under a key that is
// made from the master key; which one is kept beside each value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

struct SecretRecord {
    std::string name, env, updated_at;  // env: dev, prod, all
};

class Secrets {
  public:
    Secrets(Store& store, const std::string& master_key);

    struct Kept {
        bool created = false;
        std::string updated_at;
    };
    Kept put(const std::string& project, const std::string& name, const std::string& env,
             const std::string& value);
    std::vector<SecretRecord> list(const std::string& project) const;  // by name
    // The environments that had a value. `env` empty: all of them.
    std::vector<std::string> remove(const std::string& project, const std::string& name,
                                    const std::string& env);
    // Seals under this key what `old` sealed under its own; how many. Whole or not at all.
    std::size_t reseal(const Secrets& old);
    // The value that counts in `env`, its own before that for all. None where there is none, or
    // where another master key sealed it: then a warning is logged.
    std::optional<std::string> value(const std::string& project, const std::string& name,
                                     const std::string& env) const;

  private:
    Store& store_;
    const std::string key_, key_id_;
};

}  // namespace svc::devapi
