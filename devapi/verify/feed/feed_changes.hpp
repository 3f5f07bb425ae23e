// Changes of the rows of one table, each in its own transaction, and who sees the row before and
// after it by the contract. Rows are changed in each field, become hidden and visible again, are
// deleted, restored and created.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/feed/feed_pictures.hpp"
#include "verify/oracle/oracle.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

struct FeedChange {
    std::string id;
    std::string before, after;    // to_jsonb() of the row; empty if there was none
    std::vector<bool> saw, sees;  // by caller
    std::vector<bool> moved;      // by picture: it is another one after the change
};

class FeedChanges {
  public:
    // They outlive it.
    FeedChanges(Subject& subject, VerifyCheck& out, std::size_t entity,
                const std::vector<const VerifyCaller*>& callers, FeedPictures& pictures);

    // Makes the changes and returns them. A change that is refused, or that changes more than one
    // row, is left out.
    std::vector<FeedChange> make();

  private:
    const model::Entity& entity() const { return subject_.model.entities[index_]; }
    CloneConnection& db() { return subject_.connection; }

    void turn(const std::string& id);
    void take_away(const std::string& id);
    bool put_back(const std::string& id, const VerifyCaller* restorer);
    const VerifyCaller* restorer_of(const std::string& id);
    void keep(const std::string& id);
    std::vector<std::string> own_columns();

    std::string sees(const VerifyCaller& caller, Operation operation, const std::string& id);
    std::vector<bool> seen_by_callers(const std::string& id);
    std::string row_of(const std::string& id);
    bool done(const std::string& id, const std::string& sql, const VerifyCaller* as = nullptr);

    Subject& subject_;
    VerifyCheck& out_;
    const std::size_t index_;
    const std::string table_;
    const std::vector<const VerifyCaller*>& callers_;
    FeedPictures& pictures_;
    std::vector<FeedChange> made_;
};

}  // namespace svc::devapi::verification
