#include "hook/sender.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "base/words.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::hook {
namespace {

// The state of a delivery after an attempt, as svc.end_delivery returns it.
enum class Becomes : std::uint8_t {
    lost,  // it was given up before: it is another attempt's
    sent,
    waiting,
    dead,
    off  // dead, and the webhook is off
};

}  // namespace
}  // namespace svc::hook

template <>
struct svc::base::Words<svc::hook::Becomes> {
    static constexpr std::array<std::string_view, 5> kAll = {"lost", "sent", "waiting", "dead",
                                                             "off"};
};

namespace svc::hook {
namespace {

constexpr std::chrono::seconds kPause{1}, kIdlePause{10};

constexpr std::string_view kClaim = "select * from svc.claim_deliveries(1000)";
constexpr std::string_view kAny = "select exists (select from svc.hook_out)";
constexpr std::string_view kEnd =
    "select svc.end_delivery($1::uuid, $2::integer, $3::integer, $4::text, $5::integer)";

class Due : public db::RowSink {
  public:
    void row(const Row& row) override {
        Delivery one;
        std::string* const fields[] = {&one.id,     &one.hook,       &one.event, &one.table,
                                       &one.row_id, &one.row,        &one.at,    &one.attempt,
                                       &one.url,    &one.secret_name};
        int column = 0;
        for (std::string* field : fields) {
            if (!row.null(column)) *field = row.text(column);
            ++column;
        }
        deliveries.push_back(std::move(one));
    }
    std::vector<Delivery> deliveries;
};

class Sender : public std::enable_shared_from_this<Sender> {
  public:
    Sender(asio::io_context& io, DeliveryContext in, feed::CommitSignal& changes)
        : io_(io), in_(std::move(in)), timer_(io), signal_(changes) {}

    void listen();
    Task<> run();

  private:
    Task<> wait(std::chrono::seconds pause);
    Task<> round();
    Task<> attempt(Delivery delivery);
    Task<std::optional<Becomes>> end(const Delivery& delivery, const Attempt& made);
    void count(std::optional<Becomes> becomes) const;
    // From its own thread: polls for deliveries at once.
    void wake() {
        woken_ = true;
        timer_.cancel();
    }

    asio::io_context& io_;
    const DeliveryContext in_;
    asio::steady_timer timer_;
    feed::CommitSignal& signal_;
    bool woken_ = false;
    bool any_ = false;  // the app has outgoing webhooks
};

void Sender::listen() {
    signal_.listen([weak = weak_from_this(), &io = io_] {
        asio::post(io, [weak] {
            if (const auto self = weak.lock()) self->wake();
        });
    });
}

Task<> Sender::wait(std::chrono::seconds pause) {
    if (!std::exchange(woken_, false)) {
        timer_.expires_after(pause);
        boost::system::error_code cancelled;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    woken_ = false;
}

Task<> Sender::run() {
    for (;;) {
        co_await wait(any_ ? kPause : kIdlePause);
        co_await round();
    }
}

Task<> Sender::round() {
    Due due;
    db::OneFlag any;
    const db::Command commands[] = {identity::command("svc_deliveries_claim", kClaim, {}, &due),
                                    identity::command("svc_hooks_any", kAny, {}, &any)};
    const db::Outcome outcome = co_await in_.system.run(commands);
    if (!outcome.ok) co_return;
    any_ = any.set;
    for (Delivery& one : due.deliveries)
        asio::co_spawn(io_, attempt(std::move(one)), asio::detached);
}

// Nothing: the database did not answer.
Task<std::optional<Becomes>> Sender::end(const Delivery& delivery, const Attempt& made) {
    const std::string status = std::to_string(made.status), pause = std::to_string(made.pause);
    const db::Param params[] = {delivery.id, delivery.attempt,
                                made.status == 0 ? db::Param() : db::Param(status), made.error,
                                pause};
    db::OneText state;
    const db::Command command = identity::command("svc_delivery_end", kEnd, params, &state);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return std::nullopt;
    co_return base::read_word<Becomes>(state.text.value_or(""));
}

void Sender::count(std::optional<Becomes> becomes) const {
    if (!becomes || *becomes == Becomes::lost) return;
    auto& of = *becomes == Becomes::sent      ? in_.counts.sent
               : *becomes == Becomes::waiting ? in_.counts.waiting
                                              : in_.counts.dead;
    of.fetch_add(1, std::memory_order_relaxed);
}

// An attempt that was not made is claimed again after its lease.
Task<> Sender::attempt(Delivery delivery) {
    const auto self = shared_from_this();
    const Attempt made = co_await deliver(in_, delivery);
    if (!made.made) co_return;
    const auto becomes = co_await end(delivery, made);
    count(becomes);
    if (becomes != Becomes::sent)
        log::write(log::Level::warning, "webhook_not_taken",
                   {{"webhook", delivery.hook},
                    {"delivery", delivery.id},
                    {"status", std::int64_t{made.status}},
                    {"attempt", delivery.attempt},
                    {"becomes", becomes ? base::word(*becomes) : "unknown"}});
    if (becomes == Becomes::off)
        log::write(log::Level::error, "webhook_off", {{"webhook", delivery.hook}});
    wake();  // there is room for another
}

}  // namespace

Task<> send_deliveries(asio::io_context& io, DeliveryContext in, feed::CommitSignal& changes) {
    const auto sender = std::make_shared<Sender>(io, std::move(in), changes);
    sender->listen();
    co_await sender->run();
}

}  // namespace svc::hook
