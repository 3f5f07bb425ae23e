// An exchange in the pool, and the handler that resumes its coroutine.
#pragma once

#include <algorithm>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "db/pool.hpp"

namespace svc::db {

// A completion handler whose type is forgotten; called at most once. Dropped without a call, the
// coroutine that it would resume is unwound.
class Resume {
  public:
    template <class Handler>
    explicit Resume(Handler handler)
        : holder_(std::make_unique<Holder<Handler>>(std::move(handler))) {}

    void operator()(Outcome outcome) {
        auto holder = std::move(holder_);
        holder->call(std::move(outcome));
    }

  private:
    struct Base {
        virtual ~Base() = default;
        virtual void call(Outcome outcome) = 0;
    };

    template <class Handler>
    struct Call {
        Handler handler;
        Outcome outcome;
        void operator()() { std::move(handler)(std::move(outcome)); }
    };

    template <class Handler>
    struct Holder : Base {
        explicit Holder(Handler&& h) : handler(std::move(h)) {}
        void call(Outcome outcome) override {
            auto executor = asio::get_associated_executor(handler);
            asio::dispatch(executor, Call<Handler>{std::move(handler), std::move(outcome)});
        }
        Handler handler;
    };

    std::unique_ptr<Base> holder_;
};

struct Request {
    Request(std::span<const Command> commands, Resume resume)
        : commands(commands), resume(std::move(resume)) {
        for (const Command& command : commands) weight = std::max(weight, command.weight);
    }

    std::span<const Command> commands;  // none: a Sync alone
    unsigned weight = 1;                // of the heaviest of them
    Resume resume;
    Command last = {};  // of a final command, once its parameters are known
    Outcome outcome;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point sent;
    FinalCommand* final_command = nullptr;  // none: all commands are sent at once
    Share share = Share::all;               // of the slow connections
    Party party = {};                       // that asks for one
    std::uint64_t ticket = 0;  // identifies it for a cancellation; 0: it cannot be cancelled
    bool impatient = false;    // fails with the first connection that cannot be opened
    bool repeated = false;     // was sent again once, after a plan had become stale
    bool delivered = false;    // a sink keeps rows that it saw: not to be sent again
    bool reads = false;        // may share its Sync with other reads
    bool passed_over = false;  // an exchange of its batch failed before it
    bool alone = false;        // so it is sent again with a Sync of its own
};

using RequestPtr = std::unique_ptr<Request>;

}  // namespace svc::db
