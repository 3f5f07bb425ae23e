#include "platform/directory.hpp"

#include <algorithm>
#include <ctime>
#include <mutex>

#include "hash/sha256.hpp"
#include "platform/crypto.hpp"

namespace svc::devapi {
namespace {

// Like expires_at, so that the two compare as text.
std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &utc);
    return text;
}

}  // namespace

void Directory::add(const ProjectRef& project) {
    const std::unique_lock lock(mutex_);
    by_id_[project.id] = project;
    id_of_slug_[project.slug] = project.id;
}

void Directory::remove(const std::string& project) {
    const std::unique_lock lock(mutex_);
    const auto found = by_id_.find(project);
    if (found == by_id_.end()) return;
    id_of_slug_.erase(found->second.slug);
    by_id_.erase(found);
    std::erase_if(keys_, [&](const auto& entry) { return entry.second.project == project; });
    std::erase_if(published_.labels,
                  [&](const auto& entry) { return entry.second.first == project; });
    std::erase_if(published_.domains, [&](const auto& entry) { return entry.second == project; });
}

void Directory::publish(Published published) {
    const std::unique_lock lock(mutex_);
    published_ = std::move(published);
}

std::optional<AppId> Directory::by_label(std::string_view label) const {
    const std::shared_lock lock(mutex_);
    const auto found = published_.labels.find(label);
    if (found == published_.labels.end()) return std::nullopt;
    return found->second;
}

std::optional<std::string> Directory::by_domain(std::string_view host) const {
    const std::shared_lock lock(mutex_);
    const auto found = published_.domains.find(host);
    if (found == published_.domains.end()) return std::nullopt;
    return found->second;
}

void Directory::add_key(const ProjectKey& key) {
    const std::string now = now_text();
    const std::unique_lock lock(mutex_);
    std::erase_if(keys_, [&](const auto& entry) {
        return !entry.second.expires_at.empty() && entry.second.expires_at < now;
    });
    keys_[key.record.hash_hex] = {key.record.id, key.project_id, key.record.expires_at,
                                  key.record.origins, key.record.kind};
}

void Directory::remove_key(const std::string& key_id) {
    const std::unique_lock lock(mutex_);
    std::erase_if(keys_, [&](const auto& entry) { return entry.second.id == key_id; });
}

std::optional<ProjectRef> Directory::by_slug(std::string_view slug) const {
    const std::shared_lock lock(mutex_);
    const auto id = id_of_slug_.find(slug);
    if (id == id_of_slug_.end()) return std::nullopt;
    return by_id_.at(id->second);
}

std::optional<ProjectRef> Directory::by_id(std::string_view id) const {
    const std::shared_lock lock(mutex_);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return std::nullopt;
    return found->second;
}

std::optional<KeyedProject> Directory::by_key(std::string_view value) const {
    const std::string hash = hash::sha256(value);
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(hash);
    if (found == keys_.end()) return std::nullopt;
    const Key& key = found->second;
    if (!key.expires_at.empty() && key.expires_at < now_text()) return std::nullopt;
    return KeyedProject{key.project, key.id, key.kind, key.origins};
}

bool Directory::knows_origin(std::string_view origin) const {
    const std::shared_lock lock(mutex_);
    return std::any_of(keys_.begin(), keys_.end(), [&](const auto& entry) {
        const auto& origins = entry.second.origins;
        return std::any_of(origins.begin(), origins.end(),
                           [&](const auto& bound) { return bound == "*" || bound == origin; });
    });
}

std::vector<ProjectRef> Directory::projects() const {
    const std::shared_lock lock(mutex_);
    std::vector<ProjectRef> out;
    for (const auto& [id, project] : by_id_) out.push_back(project);
    return out;
}

// Under a lock of its own: who reads first must not be who writes last.
void load_published(Directory& directory, Store& store) {
    static std::mutex one;
    const std::lock_guard lock(one);
    directory.publish(store.transact([&](pqxx::work& tx) {
        Directory::Published out;
        for (const auto& row : tx.exec("select name, project_id, env from subdomain where live"))
            out.labels[row[0].c_str()] = {row[1].c_str(), row[2].c_str()};
        for (const auto& row : tx.exec("select host, project_id from project_domain"))
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
