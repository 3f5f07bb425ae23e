// The readers of a table whose policy looks at rows of another one: whom a change of such a row may
// concern.
#pragma once

#include <unordered_map>

#include "feed/reader/reader.hpp"

namespace svc::feed {

class Lookers {
  public:
    // `readers`: of the table that has this look. Both outlive it.
    Lookers(const Look& look, const Readers& readers);

    const Look& look() const { return look_; }
    // All for whom the policy looks there.
    const Readers& all() const { return all_; }
    // Those among them who have this value. Only if the look has a key.
    const Readers& with(std::string_view value) const;

  private:
    const Look& look_;
    Readers all_;
    std::unordered_map<std::string, Readers> by_value_;
};

}  // namespace svc::feed
