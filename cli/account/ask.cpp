#include "cli/account/ask.hpp"

#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace svc::cli {
namespace {

// Shows nothing of what is typed, until it is gone.
class Unseen {
  public:
    explicit Unseen(bool wanted) {
        if (!wanted || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        changed_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
    }
    ~Unseen() {
        if (!changed_) return;
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
        std::fputc('\n', stderr);
    }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;

  private:
    termios before_{};
    bool changed_ = false;
};

std::string line_of_input() {
    std::string line;
    std::getline(std::cin, line);
    return line;
}

}  // namespace

std::string secret_of(const std::string& given) { return given == "-" ? line_of_input() : given; }

std::optional<std::string> ask(const std::string& question, bool hidden) {
    if (::isatty(STDIN_FILENO) == 0) return std::nullopt;
    const Unseen unseen(hidden);  // before it asks: what is typed at once counts, and is not shown
    std::fputs((question + ": ").c_str(), stderr);
    std::string answer = line_of_input();
    if (answer.empty()) return std::nullopt;
    return answer;
}

}  // namespace svc::cli
