// The keys by which apps are called: browser and server keys, and the builder's preview tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/app_ref.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct ProjectKey {
    KeyRecord record;
    std::string project_id, name, created_at;
    std::string made_by, made_by_email;  // who answers for it; empty: nobody any more
};

struct NewKey {
    std::string project_id, user_id, name;
    KeyKind kind = KeyKind::browser;
    std::vector<std::string> origins;
    std::optional<std::vector<std::string>> tools, models;  // none: all
};

struct MintedKey {
    std::string value;  // dpk_…, kept nowhere
    ProjectKey key;
};

// Nothing if the maker is not a member of the project's workspace any more, or may not make keys.
std::optional<MintedKey> mint_key(Store& store, const NewKey& wanted);
std::vector<ProjectKey> project_keys(Store& store, const std::string& project_id);  // newest first
std::vector<ProjectKey> all_keys(Store& store);
// Gives a browser or server key to `user_id`, so that it does not end with its maker's membership.
// Nothing if there is no such key, or if the user is not a developer there any more.
std::optional<ProjectKey> adopt_key(Store& store, const std::string& project_id,
                                    const std::string& key_id, const std::string& user_id);
bool delete_key(Store& store, const std::string& project_id, const std::string& key_id);

std::vector<KeyRecord> records(const std::vector<ProjectKey>& keys);

}  // namespace svc::devapi
