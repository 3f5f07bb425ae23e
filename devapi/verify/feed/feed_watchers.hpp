// Callers who listen, while the rows of one table change, to the tables whose rows can be shown or
// hidden by that. None of their rows changes. Nobody may get a reset but those who may need it, and
// whoever sees other rows than before must get one.
#pragma once

#include <map>
#include <memory>

#include "verify/app/server.hpp"
#include "verify/feed/feed_resets.hpp"

namespace svc::devapi::verification {

class FeedWatchers {
  public:
    // They outlive it. `changed`: the table, as index in Model::entities.
    FeedWatchers(Subject& subject, VerifyCheck& out, std::size_t changed);

    // What they see of these tables: one picture a watcher.
    FeedPictures& pictures() { return pictures_; }
    // After the changes. `callers`: those of FeedChange::saw.
    void compare(const std::vector<FeedChange>& made,
                 const std::vector<const VerifyCaller*>& callers);

  private:
    struct Watcher {
        const VerifyCaller& caller;
        std::vector<std::size_t> tables;
        std::unique_ptr<Stream> stream;
    };
    std::string topic(std::size_t table) const;
    void listen(const VerifyCaller& caller);
    // False: it could not be published.
    bool mark(std::size_t table);
    void compare(const Watcher& watcher, const std::vector<Stream::Frame>& frames, bool may_need);
    // `owed`: a change that showed them other rows than before; null: there was none.
    void look_for_reset(const Watcher& watcher, const std::vector<Stream::Frame>& frames,
                        const FeedChange* owed);
    bool depends(std::size_t table) const;
    bool may_need(const Watcher& watcher, const std::vector<FeedChange>& made,
                  const std::vector<const VerifyCaller*>& callers) const;

    Subject& subject_;
    VerifyCheck& out_;
    const std::size_t changed_;
    std::map<std::size_t, FeedResets> tables_;
    FeedPictures pictures_;
    std::vector<Watcher> watchers_;
};

}  // namespace svc::devapi::verification
