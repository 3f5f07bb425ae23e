// Which listeners of a table may need a reset when rows of a table change, as the plan has it:
// those whose policy looks at rows of that one, and whom the change of such a row can concern; and,
// if it decides for the table (same_as), those to whom a row of it is shown or hidden.
#pragma once

#include <optional>
#include <vector>

#include "plan/access/read_look.hpp"
#include "plan/principals.hpp"
#include "verify/feed/feed_changes.hpp"

namespace svc::devapi::verification {

// The principals that the caller is.
plan::PrincipalBits bits_of(const model::Model& model, const VerifyCaller& caller);

class FeedResets {
  public:
    // `listened`, `changed`: indexes in Model::entities; they may be the same.
    FeedResets(const model::Model& model, std::size_t listened, std::size_t changed);

    // True if no change of the other table can show or hide rows of this one.
    bool never() const { return looks_.empty() && !decided_; }
    // `place`: of the caller among those of FeedChange::saw; nothing: they read no row there.
    bool may_need(const VerifyCaller& caller, std::optional<std::size_t> place,
                  const std::vector<FeedChange>& made) const;

  private:
    const model::Model& model_;
    std::vector<plan::ReadLook> looks_;
    bool decided_ = false;
};

}  // namespace svc::devapi::verification
