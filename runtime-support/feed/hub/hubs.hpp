// The hubs of a process. Streams whose rows the database may have to judge have a hub of their own,
// so that no other stream waits for an answer. Each stream gets all that it listens to from one
// hub, in the order of changes.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "feed/hub/commit_signal.hpp"
#include "feed/hub/hub.hpp"

namespace svc::feed {

class Hubs {
  public:
    explicit Hubs(CommitSignal& changes) : signal_(changes) {}
    ~Hubs() { signal_.listen({}); }
    Hubs(const Hubs&) = delete;
    Hubs& operator=(const Hubs&) = delete;

    // `asked`: the hub of streams that may have to wait for an answer of the database.
    Hub& of(bool asked) { return asked ? asked_ : at_once_; }
    Counts& counts() { return counts_; }
    const Counts& counts() const { return counts_; }

    // Calls Hub::start() for all hubs. `replaced` is called once.
    void start(asio::io_context& io, db::Pool& system, const Judge& judge, const std::string& epoch,
               const std::function<void()>& replaced);

    // A stream, counted for as long as the ticket is held. From any thread.
    using Ticket = std::shared_ptr<void>;
    // A limit that a stream counts towards: that of a key, or of callers who share a part of it.
    struct Counted {
        std::string what;
        std::size_t most;  // 0: no limit
    };
    // Returns null if one of the limits is reached; `full` is its index.
    Ticket enter(bool asked, std::vector<Counted> counted, std::size_t& full);

    // The oldest Hub::read_at() of the hubs that have listeners. 0: no hub has any.
    std::int64_t read_at() const;

  private:
    void leave(bool asked, const std::vector<Counted>& counted);

    CommitSignal& signal_;
    Counts counts_;
    Hub at_once_{counts_}, asked_{counts_};
    std::mutex mutex_;
    std::unordered_map<std::string, std::size_t> streams_;  // by the limit that they count towards
};

}  // namespace svc::feed
