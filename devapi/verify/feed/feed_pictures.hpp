// The rows that callers see of some tables, by the contract. Taken before and after a change of
// another table, they say whom the change shows or hides rows: the generator's list of such
// changes (feed_resets.hpp) is not asked.
#pragma once

#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

class FeedPictures {
  public:
    // `changed`: the table, as index in Model::entities. The subject outlives it.
    FeedPictures(Subject& subject, std::size_t changed) : subject_(subject), changed_(changed) {}

    // What this caller may read of the table depends on rows of the changed one.
    bool depends(const VerifyCaller& caller, std::size_t table) const;
    // One more picture. Call it before the first take(). A table of many rows is left out.
    void add(const VerifyCaller& caller, const std::vector<std::size_t>& tables);
    // A digest of each, in a transaction of the owner's.
    std::vector<std::string> take();

  private:
    std::string digest(const VerifyCaller& caller, const std::vector<std::size_t>& tables) const;
    bool has_few_rows(std::size_t table) const;
    std::string name() const { return "verify_pictures_" + std::to_string(changed_); }

    Subject& subject_;
    const std::size_t changed_;
    std::string all_;  // as SQL
    bool prepared_ = false;
};

}  // namespace svc::devapi::verification
