#include "db/statement_cache.hpp"

namespace svc::db {

StatementCache::Use StatementCache::use(const Statement& statement) {
    if (statement.name.starts_with('?')) return use_dynamic(statement);
    if (auto found = fixed_.find(statement.name); found != fixed_.end()) {
        return {.prepared = found->second};
    }
    auto prepared = std::make_shared<Prepared>();
    prepared->name = statement.name;
    fixed_.emplace(statement.name, prepared);
    return {.prepared = std::move(prepared), .fresh = true};
}

// The same text with other parameter types is another statement, so the key has both. The name is a
// number that is never used again on this connection, so it cannot mean a statement that is still
// in flight.
StatementCache::Use StatementCache::use_dynamic(const Statement& statement) {
    std::string key(statement.sql);
    for (Type type : statement.types) key += static_cast<char>(type);
    if (auto found = dynamic_.find(key); found != dynamic_.end()) {
        recent_.splice(recent_.begin(), recent_, found->second);
        return {.prepared = recent_.front().prepared};
    }
    Use use{.prepared = std::make_shared<Prepared>(), .fresh = true};
    if (recent_.size() == kDynamicStatements) {
        use.evicted = recent_.back().prepared->name;
        dynamic_.erase(recent_.back().key);
        recent_.pop_back();
    }
    use.prepared->name = "svc_dynamic_" + std::to_string(++made_);
    recent_.push_front({std::move(key), use.prepared});
    dynamic_.emplace(recent_.front().key, recent_.begin());
    return use;
}

bool StatementCache::forget(const PreparedPtr& prepared) {
    if (auto found = fixed_.find(prepared->name);
        found != fixed_.end() && found->second == prepared) {
        fixed_.erase(found);
        return true;
    }
    for (auto entry = recent_.begin(); entry != recent_.end(); ++entry) {
        if (entry->prepared != prepared) continue;
        dynamic_.erase(entry->key);
        recent_.erase(entry);
        return true;
    }
    return false;
}

}  // namespace svc::db
