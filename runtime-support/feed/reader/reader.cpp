#include "feed/reader/reader.hpp"

#include <algorithm>

#include "data/columns.hpp"

namespace svc::feed {
namespace {

std::string reader_key(const Identity& who, const Filter* filter) {
    return filter ? who.key + '\0' + filter->key : who.key;
}

std::string identity_key(const Caller& caller) {
    std::string key = caller.names + '\0' + caller.claims + '\0';
    if (caller.user) key += caller.user->id;
    return key;
}

}  // namespace

Identity::Identity(const Caller& of) : caller(of), key(identity_key(of)) {}

Mask mask_of(const Entity& entity, PrincipalSet principals) {
    Mask mask{data::visible_columns(entity, principals).columns, {}};
    for (unsigned i = 0; i < entity.columns.size(); ++i) mask.key += mask.columns[i] ? '1' : '0';
    return mask;
}

ReaderPtr Audience::enter(const Entity& entity, const Caller& caller,
                          std::shared_ptr<const Filter> filter) {
    auto who = std::make_shared<const Identity>(caller);
    const std::string key = reader_key(*who, filter.get());
    const std::lock_guard lock(mutex_);
    Table& table = tables_[&entity];
    if (auto known = table[key].lock()) return known;
    auto* fresh = new Reader{++last_, &entity, std::move(who), mask_of(entity, caller.principals),
                             std::move(filter)};
    const auto gone = [this, key](const Reader* reader) {
        leave(reader->entity, key);
        delete reader;
    };
    ReaderPtr reader(fresh, gone);
    table[key] = reader;
    return reader;
}

void Audience::leave(const Entity* entity, const std::string& key) {
    const std::lock_guard lock(mutex_);
    Table& table = tables_[entity];
    const auto found = table.find(key);
    // Another of the same key may have come meanwhile.
    if (found != table.end() && found->second.expired()) table.erase(found);
}

Readers Audience::of(const Entity& entity) const {
    Readers list;
    {
        const std::lock_guard lock(mutex_);
        const auto found = tables_.find(&entity);
        if (found == tables_.end()) return list;
        list.reserve(found->second.size());
        for (const auto& [key, reader] : found->second)
            if (auto held = reader.lock()) list.push_back(std::move(held));
    }
    std::ranges::sort(list, {}, [](const ReaderPtr& one) { return one->id; });
    return list;
}

std::size_t Audience::size() const {
    const std::lock_guard lock(mutex_);
    std::size_t size = 0;
    for (const auto& [entity, table] : tables_) size += table.size();
    return size;
}

}  // namespace svc::feed
