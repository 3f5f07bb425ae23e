// Which statements one connection has prepared, by name, and the dynamic ones by their text.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "db/pool.hpp"

namespace svc::db {

// A statement as one connection knows it. In the cache from the moment its Parse is sent; what is
// sent later on the same connection may count on it, because a Parse has a Sync of its own.
struct Prepared {
    std::string name;
    std::unique_ptr<Outcome> error;  // why PostgreSQL refused to prepare it
};
using PreparedPtr = std::shared_ptr<Prepared>;

class StatementCache {
  public:
    struct Use {
        PreparedPtr prepared;
        bool fresh = false;        // must be prepared now
        std::string evicted = {};  // name to deallocate; empty: none
    };
    Use use(const Statement& statement);

    // Its next use prepares it anew. False if it was forgotten or replaced before.
    bool forget(const PreparedPtr& prepared);

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    struct Dynamic {
        std::string key;
        PreparedPtr prepared;
    };
    Use use_dynamic(const Statement& statement);

    std::unordered_map<std::string, PreparedPtr, Hash, std::equal_to<>> fixed_;
    std::list<Dynamic> recent_;  // last used first
    std::unordered_map<std::string_view, std::list<Dynamic>::iterator> dynamic_;
    std::size_t made_ = 0;
};

}  // namespace svc::db
