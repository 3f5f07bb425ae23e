// Finds the project of a connection by host, path or app key. It is in memory, because the io
// thread uses it. svcd is the only writer of the platform's tables, so the routes keep it current.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/app_ref.hpp"
#include "platform/keys/keys.hpp"

namespace svc::devapi {

struct KeyedProject {
    std::string project, id;
    KeyKind kind = KeyKind::browser;
    std::vector<std::string> origins;
};

class Directory {
  public:
    struct Key {
        std::string id, project, expires_at;
        std::vector<std::string> origins;
        KeyKind kind = KeyKind::browser;
    };
    void add(const ProjectRef& project);
    void remove(const std::string& project);  // and its keys
    void add_key(const ProjectKey& key);
    void remove_key(const std::string& key_id);

    // Replaces all names and hosts of published environments.
    struct Published {
        std::map<std::string, AppId, std::less<>> labels;         // <label>.<apps domain>
        std::map<std::string, std::string, std::less<>> domains;  // host, project
    };
    void publish(Published published);
    std::optional<AppId> by_label(std::string_view label) const;
    std::optional<std::string> by_domain(std::string_view host) const;  // the project

    std::optional<ProjectRef> by_slug(std::string_view slug) const;
    std::optional<ProjectRef> by_id(std::string_view id) const;
    // The project of a key's value; none if it is unknown or has expired.
    std::optional<KeyedProject> by_key(std::string_view value) const;
    // True if some key is bound to this origin, or to any origin.
    bool knows_origin(std::string_view origin) const;
    std::vector<ProjectRef> projects() const;

    // The complete content, for a copy in another process.
    struct Content {
        std::map<std::string, ProjectRef, std::less<>> projects;  // by id
        std::unordered_map<std::string, Key> keys;                // by SHA-256 of the value, hex
        Published published;
    };
    Content content() const;
    void replace(Content content);
    // Called after each change, on the thread that made it. Set before there are several.
    void on_change(std::function<void()> called) { on_change_ = std::move(called); }

  private:
    template <class Change>
    void change(Change change);

    mutable std::shared_mutex mutex_;
    Content content_;
    std::map<std::string, std::string, std::less<>> id_of_slug_;
    std::function<void()> on_change_ = [] {};
};

// Reads the published names again: after a deploy, and after a change of a project's hosts.
void load_published(Directory& directory, Store& store);
// Fills it from the platform's tables.
void load(Directory& directory, Store& store);

}  // namespace svc::devapi
