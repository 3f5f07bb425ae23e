// A bounded cache of shared values, each valid for a fixed time. The least recently used one is
// removed first.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace svc::identity {

// Whether a value may come from a cache, and so be out of date.
enum class Cached : bool { no, yes };

template <class Key, class Value, class Hash = std::hash<Key>>
class Cache {
  public:
    using Clock = std::chrono::steady_clock;
    using Pointer = std::shared_ptr<const Value>;

    Cache(std::size_t capacity, Clock::duration good_for)
        : capacity_(capacity), good_for_(good_for) {}

    // Null if the key is not in the cache or its value is too old.
    Pointer find(const Key& key, Clock::time_point now = Clock::now()) {
        const std::lock_guard lock(mutex_);
        const auto found = index_.find(key);
        if (found == index_.end() || now >= found->second->put_at + good_for_) return nullptr;
        entries_.splice(entries_.begin(), entries_, found->second);
        return found->second->value;
    }

    void put(const Key& key, Pointer value, Clock::time_point now = Clock::now()) {
        const std::lock_guard lock(mutex_);
        drop(key);
        entries_.push_front({key, std::move(value), now});
        index_.emplace(key, entries_.begin());
        if (entries_.size() > capacity_) drop(Key(entries_.back().key));
    }

    void erase(const Key& key) {
        const std::lock_guard lock(mutex_);
        drop(key);
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }

  private:
    struct Entry {
        Key key;
        Pointer value;
        Clock::time_point put_at;
    };

    void drop(const Key& key) {
        const auto found = index_.find(key);
        if (found == index_.end()) return;
        entries_.erase(found->second);
        index_.erase(found);
    }

    const std::size_t capacity_;
    const Clock::duration good_for_;
    mutable std::mutex mutex_;
    std::list<Entry> entries_;  // most recently used first
    std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> index_;
};

}  // namespace svc::identity
