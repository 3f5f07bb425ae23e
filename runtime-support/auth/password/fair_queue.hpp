// Decides whose password is hashed next. No account or address waits behind all jobs of another
// one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::auth::password {

// Identifies who a password is hashed for, by hashes; 0: not counted. `account` is the requested
// account, whether it exists or not, so that both wait equally long.
struct Requester {
    std::size_t account = 0;
    std::size_t address = 0;

    bool operator==(const Requester&) const = default;
};

// `account`: a text that identifies it. `remote`: the client's address.
Requester requester_of(std::string_view account, std::string_view remote);

// The jobs that wait, and the accounts whose job runs. An account has one running job at a time;
// addresses take turns. `Job` has a `requester`.
template <class Job>
class FairQueue {
  public:
    using Ptr = std::shared_ptr<Job>;

    void add(Ptr job) { waiting_.push_back(std::move(job)); }

    // Takes the next job, which counts as running from now on. Null if none may start.
    Ptr next() {
        const auto at = std::ranges::find_if(
            waiting_, [this](const Ptr& job) { return !runs(job->requester.account); });
        if (at == waiting_.end()) return nullptr;
        Ptr job = take(at);
        running_.push_back(job->requester);
        to_the_end(job->requester.address);
        return job;
    }

    void ended(const Requester& requester) {
        running_.erase(std::ranges::find(running_, requester));
        to_the_end(requester.address);
    }

    // Removes the last job of the address with the most waiting jobs; among several such, the one
    // that came last. Null if nothing waits.
    Ptr drop() {
        auto worst = waiting_.end();
        std::size_t most = 0;
        for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
            const std::size_t has = held((*at)->requester);
            if (has < most) continue;
            most = has;
            worst = at;
        }
        return worst == waiting_.end() ? nullptr : take(worst);
    }

  private:
    using Position = typename std::deque<Ptr>::iterator;

    Ptr take(Position at) {
        Ptr job = std::move(*at);
        waiting_.erase(at);
        return job;
    }

    bool runs(std::size_t account) const {
        return account != 0 &&
               std::ranges::find(running_, account, &Requester::account) != running_.end();
    }

    // The number of waiting jobs of the same account, and of the same address.
    std::size_t held(const Requester& of) const {
        std::size_t count = 0;
        for (const Ptr& job : waiting_) {
            if (of.account != 0 && job->requester.account == of.account) ++count;
            if (of.address != 0 && job->requester.address == of.address) ++count;
        }
        return count;
    }

    // An address that had its turn has the next one after all others.
    void to_the_end(std::size_t address) {
        if (address == 0) return;
        std::stable_partition(waiting_.begin(), waiting_.end(), [address](const Ptr& job) {
            return job->requester.address != address;
        });
    }

    std::deque<Ptr> waiting_;
    std::vector<Requester> running_;
};

}  // namespace svc::auth::password
