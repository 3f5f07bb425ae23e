// Bytes of an upload that are written at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace svc::file {

inline constexpr std::size_t kBatch = 256 * 1024;  // bytes

// Bytes may be read straight into its room, and are then not copied.
class Batch {
  public:
    std::span<char> room() { return {data_.get() + size_, kBatch - size_}; }
    std::string_view bytes() const { return {data_.get(), size_}; }
    // Takes as many of the bytes as fit off their front. They may be at the begin of the room.
    void take(std::string_view& bytes) {
        const std::span<char> free = room();
        const std::size_t some = std::min(bytes.size(), free.size());
        if (bytes.data() != free.data()) std::copy_n(bytes.data(), some, free.data());
        size_ += some;
        bytes.remove_prefix(some);
    }
    void clear() { size_ = 0; }

  private:
    const std::unique_ptr<char[]> data_ = std::make_unique_for_overwrite<char[]>(kBatch);
    std::size_t size_ = 0;
};

}  // namespace svc::file
