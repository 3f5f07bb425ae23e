// Counts what a process has done with files, for its metrics. From any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::file {

using Count = std::atomic<std::uint64_t>;

struct Counts {
    Count begun{0};                        // uploads; a resumable one counts once
    Count stored{0}, refused{0};           // how they ended; clients left the others
    Count received_bytes{0};               // of files, whatever became of them
    Count stored_bytes{0}, sent_bytes{0};  // of files
    Count sent{0};                         // answers with bytes of a file
    Count store_failures{0};               // reads and writes that failed in the store
    std::atomic<std::int64_t> now{0};      // requests that bring bytes of an upload now

    static void add(Count& count, std::uint64_t by = 1) {
        count.fetch_add(by, std::memory_order_relaxed);
    }
};

// Counts in `now` for as long as it lives.
class ActiveUpload {
  public:
    explicit ActiveUpload(Counts& counts) : counts_(counts) { ++counts_.now; }
    ~ActiveUpload() { --counts_.now; }
    ActiveUpload(const ActiveUpload&) = delete;
    ActiveUpload& operator=(const ActiveUpload&) = delete;

  private:
    Counts& counts_;
};

}  // namespace svc::file
