#include "db/pool.hpp"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <stdexcept>

#include "base/sql_state.hpp"
#include "db/lane.hpp"

namespace svc::db {
namespace {

// Rows by id in flight on one connection: enough for a batch that pays, and little enough that a
// busy server uses more than one of PostgreSQL's processes.
constexpr std::size_t kFull = 24;
constexpr std::size_t kSlowConnections = 4;
constexpr std::size_t kMaxParams = 65535;  // the protocol's own limit

Outcome refused(std::string_view sqlstate, std::string_view message) {
    Outcome outcome;
    outcome.make_error().sqlstate = sqlstate;
    outcome.make_error().message = message;
    return outcome;
}

// Checks commands that cannot be sent to PostgreSQL. A NUL would silently cut a text parameter.
std::optional<Outcome> objection(std::span<const Command> commands) {
    for (const Command& command : commands) {
        if (command.params.size() > kMaxParams)
            return refused(base::sqlstate::kTooManyParams,
                           "The statement has too many parameters.");
        for (const Param& param : command.params) {
            if (param && param->find('\0') != std::string_view::npos) {
                return refused(base::sqlstate::kBadCharacter,
                               "A string cannot contain the character U+0000.");
            }
        }
    }
    return std::nullopt;
}

// Not a lambda: g++ 12 destroys captures inside a co_await expression twice.
struct Submit {
    Lane* lane;
    std::span<const Command> commands;
    const Slow* how;
    std::uint64_t ticket = 0;
    bool impatient = false;
    bool reads = false;

    template <class Handler>
    void operator()(Handler&& handler) const {
        auto request = std::make_unique<Request>(commands, Resume(std::forward<Handler>(handler)));
        request->impatient = impatient;
        request->final_command = how->final_command;
        request->share = how->share;
        request->party = how->party;
        request->ticket = ticket;
        request->reads = reads;
        lane->submit(std::move(request));
    }
};

// While it lives, a client that hangs up ends its exchange.
class Watch {
  public:
    Watch(http::Exchange* client, Lane& lane, std::uint64_t ticket) : client_(client) {
        if (client_) client_->watch([&lane, ticket] { lane.give_up(ticket); });
    }
    ~Watch() {
        if (client_) client_->watch(nullptr);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    http::Exchange* client_;
};

}  // namespace

struct Pool::Impl {
    Impl(asio::io_context& io, PoolSettings&& settings)
        : max_queue(settings.max_queue),
          fast(io, {settings.url, std::max(settings.connections, 1U), kFull, {}, settings.idle},
               count),
          slow(io, {settings.url, kSlowConnections, 1, settings.slow_patience, settings.idle},
               slow_count) {}

    Task<Outcome> run(std::span<const Command> commands, bool impatient, bool reads) {
        static const Slow kNotSlow{};
        if (count >= max_queue)
            co_return refused(base::sqlstate::kTooManyConnections, kTooMuchWords);
        if (auto refusal = objection(commands)) co_return std::move(*refusal);
        ++count;
        Submit submit{&fast, commands, &kNotSlow, 0, impatient, reads};
        co_return co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(Outcome)>(
            submit, asio::use_awaitable);
    }

    Task<Outcome> run_slow(std::span<const Command> commands, Slow how) {
        if (slow_count >= max_queue || slow.holds_enough(how.party))
            co_return refused(base::sqlstate::kTooManyConnections, kTooMuchWords);
        if (auto refusal = objection(commands)) co_return std::move(*refusal);
        ++slow_count;
        const Watch watch(how.client, slow, ++ticket);
        Submit submit{&slow, commands, &how, ticket};
        Outcome outcome =
            co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(Outcome)>(
                submit, asio::use_awaitable);
        co_return outcome;
    }

    std::size_t max_queue;
    std::size_t count = 0;       // exchanges that wait or are in flight
    std::size_t slow_count = 0;  // the same of slow ones, which keep no other from the queue
    std::uint64_t ticket = 0;
    Lane fast, slow;
};

Pool::Pool(asio::io_context& io, PoolSettings settings)
    : impl_(std::make_unique<Impl>(io, std::move(settings))) {}

Pool::~Pool() = default;

Task<> Pool::open() {
    const Outcome outcome = co_await impl_->run({}, true, false);
    if (!outcome.ok) {
        throw std::runtime_error(outcome.error().detail.empty() ? outcome.error().message
                                                                : outcome.error().detail);
    }
}

void Pool::begin() { impl_->fast.grow(); }

Task<Outcome> Pool::run(std::span<const Command> commands) {
    return impl_->run(commands, false, false);
}

Task<Outcome> Pool::read(std::span<const Command> commands) {
    return impl_->run(commands, false, true);
}

Task<Outcome> Pool::run_slow(std::span<const Command> commands, const Slow& how) {
    return impl_->run_slow(commands, how);
}

}  // namespace svc::db
