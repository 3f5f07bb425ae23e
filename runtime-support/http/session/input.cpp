#include "http/session/input.hpp"

#include <algorithm>
#include <cstring>

namespace svc::http {

Input::Input(std::size_t capacity, std::string_view bytes)
    : data_(new char[capacity]), capacity_(capacity), end_(std::min(capacity, bytes.size())) {
    std::memcpy(data_.get(), bytes.data(), end_);
}

std::span<char> Input::room() {
    bool few = capacity_ - end_ < capacity_ / 4;
    if (at_ > kept_ && (at_ == end_ || few)) {
        std::memmove(data_.get() + kept_, data_.get() + at_, end_ - at_);
        end_ -= at_ - kept_;
        at_ = kept_;
    }
    return {data_.get() + end_, capacity_ - end_};
}

void Input::consume(std::size_t bytes) {
    at_ += bytes;
    scanned_ = 0;
}

void Input::pin(std::size_t bytes) {
    consume(bytes);
    kept_ = at_;
}

void Input::skip_empty_lines() {
    while (scanned_ == 0 && view().starts_with("\r\n")) consume(2);
}

Input::Scan Input::scan(std::size_t limit) {
    std::string_view text = view();
    for (;;) {
        if (scanned_ > limit) return Scan::too_large;
        std::size_t end = text.find('\n', scanned_);
        if (end == text.npos) return text.size() > limit ? Scan::too_large : Scan::more;
        if (end == scanned_ || text[end - 1] != '\r') return Scan::bare_lf;
        bool empty_line = end == scanned_ + 1;
        scanned_ = end + 1;
        if (empty_line) return scanned_ > limit ? Scan::too_large : Scan::head;
    }
}

}  // namespace svc::http
