// The bytes of a connection that were read and not yet served, in one flat buffer. A head can be
// pinned: its bytes then stay where they are, because views point at them, until it is unpinned.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace svc::http {

class Input {
  public:
    // Room for `capacity` bytes, with `bytes` already in it; it never grows.
    Input(std::size_t capacity, std::string_view bytes);

    std::string_view view() const { return {data_.get() + at_, end_ - at_}; }
    bool empty() const { return at_ == end_; }

    // The space for the next bytes. May move bytes that are not pinned. Empty if nothing is free.
    std::span<char> room();
    void filled(std::size_t bytes) { end_ += bytes; }
    void consume(std::size_t bytes);

    // Consumes the first `bytes` and keeps them in place.
    void pin(std::size_t bytes);
    void unpin() { kept_ = 0; }

    enum class Scan { more, head, too_large, bare_lf };
    // Looks for the end of a head at the front and reads each byte once. `length()` is the length
    // of the found head.
    Scan scan(std::size_t limit);
    std::size_t length() const { return scanned_; }
    // An empty line before a request line is ignored (RFC 9112, 2.2).
    void skip_empty_lines();

  private:
    std::unique_ptr<char[]> data_;
    std::size_t capacity_;
    std::size_t kept_ = 0;  // pinned: [.., kept_)
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    std::size_t scanned_ = 0;  // relative to at_; always the begin of a line
};

}  // namespace svc::http
