#include "platform/project/directory.hpp"

#include <algorithm>
#include <ctime>
#include <mutex>

#include "base/sha256.hpp"
#include "base/time/utc.hpp"

namespace svc::devapi {
namespace {

// Like expires_at, so that the two compare as text.
std::string now_text() { return base::utc_seconds(std::time(nullptr)) + ".000Z"; }

}  // namespace

template <class Change>
void Directory::change(Change change) {
    {
        const std::unique_lock lock(mutex_);
        change();
    }
    on_change_();
}

void Directory::add(const ProjectRef& project) {
    change([&] {
        content_.projects[project.id] = project;
        id_of_slug_[project.slug] = project.id;
    });
}

void Directory::remove(const std::string& project) {
    change([&] {
        const auto found = content_.projects.find(project);
        if (found == content_.projects.end()) return;
        id_of_slug_.erase(found->second.slug);
        content_.projects.erase(found);
        std::erase_if(content_.keys,
                      [&](const auto& entry) { return entry.second.project == project; });
        auto& [labels, domains] = content_.published;
        std::erase_if(labels, [&](const auto& entry) { return entry.second.first == project; });
        std::erase_if(domains, [&](const auto& entry) { return entry.second == project; });
    });
}

void Directory::publish(Published published) {
    change([&] { content_.published = std::move(published); });
}

std::optional<AppId> Directory::by_label(std::string_view label) const {
    const std::shared_lock lock(mutex_);
    const auto found = content_.published.labels.find(label);
    if (found == content_.published.labels.end()) return std::nullopt;
    return found->second;
}

std::optional<std::string> Directory::by_domain(std::string_view host) const {
    const std::shared_lock lock(mutex_);
    const auto found = content_.published.domains.find(host);
    if (found == content_.published.domains.end()) return std::nullopt;
    return found->second;
}

void Directory::add_key(const ProjectKey& key) {
    const std::string now = now_text();
    change([&] {
        std::erase_if(content_.keys, [&](const auto& entry) {
            return !entry.second.expires_at.empty() && entry.second.expires_at < now;
        });
        content_.keys[key.record.hash_hex] = {key.record.id, key.project_id, key.record.expires_at,
                                              key.record.origins, key.record.kind};
    });
}

void Directory::remove_key(const std::string& key_id) {
    change([&] {
        std::erase_if(content_.keys, [&](const auto& entry) { return entry.second.id == key_id; });
    });
}

Directory::Content Directory::content() const {
    const std::shared_lock lock(mutex_);
    return content_;
}

void Directory::replace(Content content) {
    change([&] {
        content_ = std::move(content);
        id_of_slug_.clear();
        for (const auto& [id, project] : content_.projects) id_of_slug_[project.slug] = id;
    });
}

std::optional<ProjectRef> Directory::by_slug(std::string_view slug) const {
    const std::shared_lock lock(mutex_);
    const auto id = id_of_slug_.find(slug);
    if (id == id_of_slug_.end()) return std::nullopt;
    return content_.projects.at(id->second);
}

std::optional<ProjectRef> Directory::by_id(std::string_view id) const {
    const std::shared_lock lock(mutex_);
    const auto found = content_.projects.find(id);
    if (found == content_.projects.end()) return std::nullopt;
    return found->second;
}

std::optional<KeyedProject> Directory::by_key(std::string_view value) const {
    const std::string hash = base::sha256_hex(value);
    const std::shared_lock lock(mutex_);
    const auto found = content_.keys.find(hash);
    if (found == content_.keys.end()) return std::nullopt;
    const Key& key = found->second;
    if (!key.expires_at.empty() && key.expires_at < now_text()) return std::nullopt;
    return KeyedProject{key.project, key.id, key.kind, key.origins};
}

bool Directory::knows_origin(std::string_view origin) const {
    const std::shared_lock lock(mutex_);
    return std::any_of(content_.keys.begin(), content_.keys.end(), [&](const auto& entry) {
        const auto& origins = entry.second.origins;
        return std::any_of(origins.begin(), origins.end(),
                           [&](const auto& bound) { return bound == "*" || bound == origin; });
    });
}

std::vector<ProjectRef> Directory::projects() const {
    const std::shared_lock lock(mutex_);
    std::vector<ProjectRef> out;
    for (const auto& [id, project] : content_.projects) out.push_back(project);
    return out;
}

// Under a lock of its own: who reads first must not be who writes last.
void load_published(Directory& directory, Store& store) {
    static std::mutex one;
    const std::lock_guard lock(one);
    directory.publish(store.transact([&](pqxx::work& tx) {
        Directory::Published out;
        for (const auto& row : tx.exec("select name, project_id, env from subdomain where live"))
            out.labels[row[0].c_str()] = {row[1].c_str(), env_of(row[2].c_str())};
        for (const auto& row :
             tx.exec("select host, project_id from project_domain where proof is not null"))
            out.domains[row[0].c_str()] = row[1].c_str();
        return out;
    }));
}

void load(Directory& directory, Store& store) {
    load_published(directory, store);
    store.transact([&](pqxx::work& tx) {
        for (const auto& row : tx.exec("select id, slug from project"))
            directory.add({row[0].c_str(), row[1].c_str()});
    });
    for (const auto& key : all_keys(store)) directory.add_key(key);
}

}  // namespace svc::devapi
