#include "pay/poller.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>

#include "pay/ledger.hpp"
#include "pay/reconcile.hpp"

namespace svc::pay {
namespace {

constexpr std::chrono::seconds kPause{5};
constexpr std::string_view kNeverOpened =
    "No session of the card provider was opened, so the payment is due offline.";

using OnEnd = std::function<void()>;

// No server opens a session later than a minute after its checkout. A checkout without a session at
// that time belongs to a server that was stopped.
Task<> reconcile_due(const PayContext* in, Entry entry, std::shared_ptr<OnEnd> ended) {
    if (entry.session.empty()) {
        co_await fall_back(*in, entry, kNeverOpened);
        co_return;
    }
    const auto now = co_await reconcile(*in, entry, {.why = ReconcileReason::poll});
    if (now && now->status != Status::processing) (*ended)();
}

}  // namespace

Task<> poll_payments(asio::io_context& io, const PayContext& in, std::function<void()> ended) {
    const auto on_end = std::make_shared<OnEnd>(std::move(ended));
    for (;;) {
        asio::steady_timer timer(io, kPause);
        co_await timer.async_wait(asio::use_awaitable);
        auto due = co_await claim_payments(in);
        if (!due) continue;
        for (Entry& entry : *due)
            asio::co_spawn(io, reconcile_due(&in, std::move(entry), on_end), asio::detached);
    }
}

}  // namespace svc::pay
