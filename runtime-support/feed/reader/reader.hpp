// A reader of the changes of a table: the caller, columns and filter that streams can share.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/query_text.hpp"
#include "feed/event.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::feed {

// A caller, as policies judge them. All that policies read of two that have the same key is the
// same.
struct Identity {
    explicit Identity(const Caller& of);
    const Caller caller;
    const std::string key;
};

// The `filter` of a feed: a condition on a row whose columns stand by their bare names. Its first
// value is free for the rows.
struct Filter {
    data::QueryText text;
    std::string key;  // the same for the same condition and values
};

// The columns that a class of readers sees.
struct Mask {
    ColumnSet columns;
    std::string key;
};
Mask mask_of(const Entity& entity, PrincipalSet principals);

struct Reader {
    ReaderId id = 0;
    const Entity* entity = nullptr;
    std::shared_ptr<const Identity> who;
    Mask mask;
    std::shared_ptr<const Filter> filter;  // null: every row
};
using ReaderPtr = std::shared_ptr<const Reader>;
using Readers = std::vector<ReaderPtr>;  // by id

// All readers of a process, from any thread. A reader is there for as long as somebody holds it.
class Audience {
  public:
    ReaderPtr enter(const Entity& entity, const Caller& caller,
                    std::shared_ptr<const Filter> filter);
    // The readers that this table has now.
    Readers of(const Entity& entity) const;
    std::size_t size() const;

  private:
    using Table = std::unordered_map<std::string, std::weak_ptr<const Reader>>;
    void leave(const Entity* entity, const std::string& key);

    mutable std::mutex mutex_;
    std::map<const Entity*, Table> tables_;
    ReaderId last_ = 0;
};

}  // namespace svc::feed
