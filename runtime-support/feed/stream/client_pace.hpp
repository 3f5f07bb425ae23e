// Whether a client reads what it is sent. A kernel takes bytes for a program that reads nothing,
// and each write costs time that the other clients wait. But the window that the kernel offers
// shrinks by what the program has not read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace svc::feed {

class ClientPace {
  public:
    void sent(std::size_t bytes) { sent_ += static_cast<std::uint32_t>(bytes); }
    // So much was sent since the last look that another one tells something.
    bool is_due() const { return sent_ >= kLook; }
    // `window`: what the client would take now, in bytes; nothing: unknown.
    void look(std::optional<std::uint32_t> window) {
        if (sent_ == 0) return;
        const std::uint32_t sent = std::exchange(sent_, 0);
        if (!window) return;
        // It has read, if it offers as much as before although more was sent.
        if (behind_ && *window >= last_) widest_ = *window;
        widest_ = std::max(widest_, *window);
        last_ = *window;
        taken_ = std::min(taken_ + sent, kTrusted + widest_);
        const std::uint32_t unread = widest_ - last_;
        if (taken_ >= unread + kTrusted) reads_ = true;
        behind_ = unread >= (reads_ ? kLate : kUnread);
    }
    // It has left many bytes unread.
    bool is_behind() const { return behind_; }

  private:
    // Bytes. A client that has read before may be late for a moment.
    static constexpr std::uint32_t kLook = 2U << 10, kUnread = 6U << 10, kLate = 40U << 10;
    static constexpr std::uint32_t kTrusted = 8U << 10;

    std::uint32_t sent_ = 0;   // since the last look
    std::uint32_t taken_ = 0;  // sent until the last look, as far as it matters
    std::uint32_t widest_ = 0, last_ = 0;
    bool reads_ = false, behind_ = false;
};

}  // namespace svc::feed
