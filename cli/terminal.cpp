#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace svc::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};

struct CodePoint {
    std::uint32_t value;
    std::size_t bytes;
};

// The first one of a text that is not empty. A byte that is not UTF-8 counts as itself.
CodePoint first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0x80           ? 1
                              : (lead >> 5) == 0x06 ? 2
                              : (lead >> 4) == 0x0e ? 3
                              : (lead >> 3) == 0x1e ? 4
                                                    : 1;
    if (bytes == 1 || bytes > text.size()) return {lead, 1};
    std::uint32_t value = lead & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    return {value, bytes};
}

std::size_t width_of(std::uint32_t point) {
    if ((point >= 0x300 && point <= 0x36f) || point == 0x200d ||
        (point >= 0xfe00 && point <= 0xfe0f)) {
        return 0;  // combines with the one before
    }
    const bool wide =
        (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) ||
        (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) ||
        (point >= 0xff00 && point <= 0xff60) || (point >= 0x1f300 && point <= 0x1faff);
    return wide ? 2 : 1;
}

}  // namespace

bool is_terminal(Stream stream) {
    return ::isatty(stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

bool colours(Stream stream) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return is_terminal(stream) && (no_color == nullptr || *no_color == '\0') &&
           (term == nullptr || std::string_view(term) != "dumb");
}

std::size_t terminal_width() {
    winsize size{};
    if (!is_terminal(Stream::out)) return 0;
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

std::string printable(std::string_view text, bool lines) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = first_of(text);
        const bool kept = lines && (point.value == '\n' || point.value == '\t');
        if (point.value == '\n' && !kept) {
            out += "\\n";
        } else if (point.value == '\t' && !kept) {
            out += "\\t";
        } else if ((point.value < 0x20 && !kept) || (point.value >= 0x7f && point.value < 0xa0)) {
            char code[8];
            std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(point.value));
            out += code;
        } else {
            out += text.substr(0, point.bytes);
        }
        text.remove_prefix(point.bytes);
    }
    return out;
}

std::size_t shown_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const CodePoint point = first_of(text);
        width += width_of(point.value);
        text.remove_prefix(point.bytes);
    }
    return width;
}

std::string fitted(std::string_view text, std::size_t width) {
    if (shown_width(text) <= width) return std::string(text);
    if (width == 0) return "";
    std::string out;
    std::size_t used = 1;  // the ellipsis
    while (!text.empty()) {
        const CodePoint point = first_of(text);
        used += width_of(point.value);
        if (used > width) break;
        out += text.substr(0, point.bytes);
        text.remove_prefix(point.bytes);
    }
    return out + "…";
}

std::string duration(double milliseconds) {
    char text[32];
    if (milliseconds < 100) {
        std::snprintf(text, sizeof text, "%.0f ms", milliseconds);
    } else {
        std::snprintf(text, sizeof text, "%.2f s", milliseconds / 1000);
    }
    return text;
}

WaitNotice::WaitNotice(std::string what) : what_(std::move(what)) {}

WaitNotice::~WaitNotice() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

void WaitNotice::tick() {
    const auto waited = std::chrono::steady_clock::now() - start_;
    if (!enabled_ || waited < kPatience) return;
    const double ms = std::chrono::duration<double, std::milli>(waited).count();
    std::fprintf(stderr, "\r%s … %s\x1b[K", what_.c_str(), duration(ms).c_str());
    std::fflush(stderr);
    shown_ = true;
}

}  // namespace svc::cli
