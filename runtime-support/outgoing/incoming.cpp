#include "outgoing/incoming.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace svc::outgoing {

using IncomingClock = std::chrono::steady_clock;

Incoming::Incoming(asio::io_context& io, std::function<void()> nudge)
    : io_(io), nudge_(std::move(nudge)), timer_(std::make_shared<asio::steady_timer>(io)) {}

// The posted handler runs after the reader has begun to wait, because both run on its thread.
void Incoming::wake() {
    asio::post(io_, [timer = timer_] { timer->cancel(); });
}

Task<> Incoming::wait(IncomingClock::time_point until) {
    timer_->expires_at(until);
    boost::system::error_code ignored;
    co_await timer_->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

Task<Fetched> Incoming::head(std::chrono::milliseconds most) {
    const IncomingClock::time_point until = IncomingClock::now() + most;
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (began_) co_return head_;
            if (ended_ || cancelled_ || IncomingClock::now() >= until) {
                Fetched none;
                none.error = error_;
                none.reached = reached_;
                co_return none;
            }
        }
        co_await wait(until);
    }
}

// Nothing: there is no piece yet.
std::optional<Incoming::Piece> Incoming::take(bool late) {
    Piece piece;
    {
        const std::lock_guard lock(mutex_);
        piece.ended = ended_ || cancelled_;
        if (bytes_.empty() && !piece.ended && !late) return std::nullopt;
        piece.bytes = std::exchange(bytes_, {});
        if (piece.ended) piece.error = error_;
        if (!paused_) return piece;
    }
    nudge_();
    return piece;
}

Task<Incoming::Piece> Incoming::next(std::chrono::milliseconds most) {
    const IncomingClock::time_point until = IncomingClock::now() + most;
    for (;;) {
        auto piece = take(IncomingClock::now() >= until);
        if (piece) co_return std::move(*piece);
        co_await wait(until);
    }
}

void Incoming::cancel() {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(cancelled_, true) || ended_) return;
    }
    nudge_();
    wake();
}

bool Incoming::cancelled() const {
    const std::lock_guard lock(mutex_);
    return cancelled_;
}

void Incoming::begin(const Fetched& head) {
    {
        const std::lock_guard lock(mutex_);
        head_ = head;
        began_ = reached_ = true;
    }
    wake();
}

Incoming::Taken Incoming::add(std::string_view bytes) {
    {
        const std::lock_guard lock(mutex_);
        if (cancelled_) return Taken::none;
        if (bytes_.size() >= kRoom) {
            paused_ = true;
            return Taken::later;
        }
        bytes_ += bytes;
    }
    wake();
    return Taken::all;
}

void Incoming::end(Fetched fetched) {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        reached_ = reached_ || fetched.reached;
        error_ = std::move(fetched.error);
    }
    wake();
}

Incoming::Demand Incoming::demand() {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return Demand::end;
    if (paused_ && bytes_.size() < kRoom) {
        paused_ = false;
        return Demand::more;
    }
    return Demand::none;
}

}  // namespace svc::outgoing
