#include "ops/request_ring.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>

namespace svc::ops {
namespace {

constexpr std::size_t kEntries = 2048;

struct RingEntry {
    std::atomic<std::uint64_t> number;  // 0 while it is written
    std::int64_t at;
    std::uint32_t took;
    std::uint16_t status;
    std::uint8_t method_size, path_size;
    char method[8];
    char path[224];
};
static_assert(sizeof(RingEntry) == 256);

struct Ring {
    std::atomic<std::uint64_t> last;
    char unused[56];
    RingEntry entries[kEntries];
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// A write into a hole of a file needs a new block, and kills the writing process if the disk is
// full. A file of an earlier process may have holes too.
bool has_room(int fd, off_t size) { return ::posix_fallocate(fd, 0, size) == 0; }

Ring* map_ring(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return nullptr;
    struct stat file {};
    const auto size = static_cast<off_t>(sizeof(Ring));
    const bool good = ::fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && has_room(fd, size);
    void* map = good ? ::mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                     : MAP_FAILED;
    ::close(fd);
    return map == MAP_FAILED ? nullptr : static_cast<Ring*>(map);
}

template <std::size_t Size>
std::uint8_t copy_text(char (&to)[Size], std::string_view text) {
    const std::size_t size = std::min(Size, text.size());
    std::memcpy(to, text.data(), size);
    return static_cast<std::uint8_t>(size);
}

// Copies the bytes: the reader must not map a file that another process may truncate.
std::string bytes_of(const std::string& path) {
    std::string bytes(sizeof(Ring), '\0');
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat file {};
    const bool good =
        fd >= 0 && ::fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
        ::pread(fd, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (fd >= 0) ::close(fd);
    return good ? bytes : std::string();
}

template <class Value>
Value at_offset(const char* bytes, std::size_t offset) {
    Value value;
    std::memcpy(&value, bytes + offset, sizeof(value));
    return value;
}

SeenRequest entry_of(const char* bytes) {
    const auto size = [bytes](std::size_t offset, std::size_t most) {
        return std::min<std::size_t>(static_cast<unsigned char>(bytes[offset]), most);
    };
    return {
        at_offset<std::uint64_t>(bytes, offsetof(RingEntry, number)),
        at_offset<std::int64_t>(bytes, offsetof(RingEntry, at)),
        at_offset<std::uint32_t>(bytes, offsetof(RingEntry, took)),
        at_offset<std::uint16_t>(bytes, offsetof(RingEntry, status)),
        std::string(bytes + offsetof(RingEntry, method), size(offsetof(RingEntry, method_size), 8)),
        std::string(bytes + offsetof(RingEntry, path), size(offsetof(RingEntry, path_size), 224))};
}

}  // namespace

RequestRing::RequestRing(const std::string& path) {
    if (!path.empty()) map_ = map_ring(path);
}

RequestRing::~RequestRing() {
    if (map_) ::munmap(map_, sizeof(Ring));
}

std::int64_t RequestRing::now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

void RequestRing::add(std::string_view method, std::string_view path, int status,
                      std::int64_t began_at) {
    if (!map_) return;
    Ring& ring = *static_cast<Ring*>(map_);
    const std::uint64_t number = ring.last.fetch_add(1, std::memory_order_relaxed) + 1;
    RingEntry& entry = ring.entries[number % kEntries];
    entry.number.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    entry.at = began_at;
    entry.took = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(now() - began_at, 0, std::numeric_limits<std::uint32_t>::max()));
    entry.status = static_cast<std::uint16_t>(status);
    entry.method_size = copy_text(entry.method, method);
    entry.path_size = copy_text(entry.path, path);
    entry.number.store(number, std::memory_order_release);
}

// Reads the file twice: an entry that is the same in both was not being written.
std::vector<SeenRequest> read_requests(const std::string& path, std::uint64_t after,
                                       std::size_t limit) {
    std::vector<SeenRequest> out;
    const std::string one = bytes_of(path), two = bytes_of(path);
    if (one.empty() || two.empty()) return out;
    const auto last = at_offset<std::uint64_t>(one.data(), offsetof(Ring, last));
    const std::uint64_t most = std::min<std::uint64_t>(limit, kEntries);
    const std::uint64_t first = std::max(after, last > most ? last - most : 0) + 1;
    for (std::uint64_t number = first; number <= last && number != 0; ++number) {
        const std::size_t offset = offsetof(Ring, entries) + number % kEntries * sizeof(RingEntry);
        if (std::memcmp(one.data() + offset, two.data() + offset, sizeof(RingEntry)) != 0) continue;
        SeenRequest seen = entry_of(one.data() + offset);
        if (seen.number == number) out.push_back(std::move(seen));
    }
    return out;
}

}  // namespace svc::ops
