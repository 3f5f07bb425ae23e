// Counts what the streams of a process do, for its metrics. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "feed/cursor.hpp"

namespace svc::feed {

using Count = std::atomic<std::uint64_t>;

// The kind of topics that a stream listens to.
enum class StreamKind : std::uint8_t { messages, rows, several };
// The kind of a frame that was sent. Messages and changes are counted separately.
enum class FrameKind : std::uint8_t { message, change, ping };

struct Counts {
    std::array<Count, 3> open{};    // by StreamKind; now
    std::array<Count, 3> frames{};  // by FrameKind
    std::array<Count, 4> resets{};  // by Reset
    Count slow{0};                  // streams that were closed because they took nothing
    Count published{0};             // messages that were published here
    Count readings{0};              // of changes, in the database
    Count questions{0};             // to the database, who may read rows that changed

    void frame(FrameKind kind) { add(frames[static_cast<std::size_t>(kind)]); }
    void reset(Reset why) { add(resets[static_cast<std::size_t>(why)]); }
    static void add(Count& count) { count.fetch_add(1, std::memory_order_relaxed); }
};

// Counts a stream for as long as it lives.
class OpenStream {
  public:
    OpenStream(Counts& counts, StreamKind kind)
        : count_(counts.open[static_cast<std::size_t>(kind)]) {
        Counts::add(count_);
    }
    ~OpenStream() { count_.fetch_sub(1, std::memory_order_relaxed); }
    OpenStream(const OpenStream&) = delete;
    OpenStream& operator=(const OpenStream&) = delete;

  private:
    Count& count_;
};

}  // namespace svc::feed
