// The objects that a migration makes, and the recorded ones that it drops.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "migrate/diff/diff.hpp"

namespace svc::migrate {

class Recreation {
  public:
    // Warns of objects that were changed by hand.
    Recreation(const std::vector<Object>& objects, const Schema& schema,
               const RecomputedColumns& recomputed, diag::Findings& findings)
        : objects_(objects), schema_(schema), recomputed_(recomputed), findings_(findings) {}

    void run();

    // These are known after run().
    bool recreated(const Key& key) const { return recreated_.contains(key); }
    bool reread(const Key& key) const { return reread_.contains(key); }
    const std::set<Key>& gone() const { return gone_; }
    const std::set<std::string>& regranted() const { return regranted_; }
    // What is dropped, in this order.
    std::vector<Key> dropped() const;

  private:
    bool changed(const Object& object) const;
    bool by_hand(const Object& object) const;
    bool recomputed(const Object& object) const;
    bool reads_disturbed(const Object& object) const;
    bool handles(const Object& function, const std::string& table) const;
    bool depends_on_remade(const Object& object) const;

    const std::vector<Object>& objects_;
    const Schema& schema_;
    const RecomputedColumns& recomputed_;
    diag::Findings& findings_;
    std::set<Key> wanted_, gone_, recreated_, reread_;
    std::set<std::string> regranted_;
};

}  // namespace svc::migrate
