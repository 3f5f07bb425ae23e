// Properties of standard output and standard error, and text that is safe to show there.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace svc::cli {

enum class Stream { out, err };

bool is_terminal(Stream stream);
// True on a terminal, unless NO_COLOR is set or TERM is dumb.
bool colours(Stream stream);
// Columns of the terminal; 0 if there is none, so that pipes get whole lines.
std::size_t terminal_width();

// Control characters made visible: text from elsewhere cannot steer the terminal. `lines`: line
// feeds and tabs stay.
std::string printable(std::string_view text, bool lines = false);
// Columns that the text takes; wide characters take two.
std::size_t shown_width(std::string_view text);
// Cut to `width` columns, with an ellipsis where something is missing.
std::string fitted(std::string_view text, std::size_t width);

// "0.31 s", "12 ms"
std::string duration(double milliseconds);

// One line on standard error that appears only after half a second of waiting.
class WaitNotice {
  public:
    explicit WaitNotice(std::string what);
    ~WaitNotice();
    WaitNotice(const WaitNotice&) = delete;
    WaitNotice& operator=(const WaitNotice&) = delete;

    void tick();

  private:
    std::string what_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool enabled_ = is_terminal(Stream::err);
    bool shown_ = false;
};

}  // namespace svc::cli
