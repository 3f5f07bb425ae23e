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

    // `asked`: of streams that may have to wait for an answer.
    Hub& of(bool asked) { return asked ? asked_ : at_once_; }
    Counts& counts() { return counts_; }
    const Counts& counts() const { return counts_; }

    // Calls Hub::start() for all hubs. `replaced` is called once.
    void start(asio::io_context& io, db::Pool& system, const Judge& judge, const std::string& epoch,
               const std::function<void()>& replaced);

    // A stream, counted for as long as the ticket is held. From any thread.
    using Ticket = std::shared_ptr<void>;
    // A limit that a stream is counted for: of a key, or of those who get a share of it.
    struct Counted {
        std::string what;
        std::size_t most;  // 0: no limit
    };
    // Null: one of them has as many as it may; `full` is its index.
    Ticket enter(bool asked, std::vector<Counted> counted, std::size_t& full);

    // The oldest of Hub::read_at(), of those that anybody listens to; 0: nobody.
    std::int64_t read_at() const;

  private:
    void leave(bool asked, const std::vector<Counted>& counted);

    CommitSignal& signal_;
    Counts counts_;
    Hub at_once_{counts_}, asked_{counts_};
    std::mutex mutex_;
    std::unordered_map<std::string, std::size_t> streams_;  // by what they are counted for
};

}  // namespace svc::feed
