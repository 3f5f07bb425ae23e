#include "query/read/scan.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::query {
namespace {

class Scanner {
  public:
    explicit Scanner(std::string_view sql) : sql_(sql) {}

    ScanResult run() {
        while (at_ < sql_.size()) step();
        return std::move(found_);
    }

  private:
    char here(std::size_t ahead = 0) const {
        return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
    }

    void step() {
        const char c = here();
        if (c == '-' && here(1) == '-') return line_comment();
        if (c == '/' && here(1) == '*') return block_comment();
        if (starts_name(c)) return word();
        if (base::is_digit(c)) return skip_while(continues_name);
        if (c == '\'' || c == '"') return quoted(c, false);
        if (c == '$') return dollar();
        if (c == ':') return colon();
        ++at_;
    }

    template <class Test>
    void skip_while(Test test) {
        while (at_ < sql_.size() && test(sql_[at_])) ++at_;
    }

    // In E'…' alone a backslash keeps the quote after it from ending the string.
    void word() {
        const std::size_t begin = at_;
        skip_while(continues_name);
        const bool escapes = at_ - begin == 1 && (sql_[begin] == 'e' || sql_[begin] == 'E');
        if (escapes && here() == '\'') quoted('\'', true);
    }

    // A doubled quote ends one string and begins the next, which comes to the same.
    void quoted(char quote, bool escapes) {
        for (++at_; at_ < sql_.size() && sql_[at_] != quote; ++at_) {
            if (escapes && sql_[at_] == '\\') ++at_;
        }
        ++at_;
    }

    void line_comment() { at_ = std::min(sql_.find_first_of("\n\r", at_), sql_.size()); }

    void block_comment() {
        int depth = 0;
        do {
            const bool opens = here() == '/' && here(1) == '*';
            const bool closes = here() == '*' && here(1) == '/';
            depth += opens ? 1 : closes ? -1 : 0;
            at_ += opens || closes ? 2 : 1;
        } while (depth > 0 && at_ < sql_.size());
    }

    // $tag$ … $tag$; a tag is a name without dollars, or nothing. $1 is none.
    void dollar() {
        std::size_t end = at_ + 1;
        if (end < sql_.size() && starts_name(sql_[end])) {
            while (end < sql_.size() && continues_name(sql_[end]) && sql_[end] != '$') ++end;
        }
        if (end >= sql_.size() || sql_[end] != '$') {
            ++at_;
            return;
        }
        const std::string_view tag = sql_.substr(at_, end + 1 - at_);
        const std::size_t close = sql_.find(tag, end + 1);
        at_ = close == std::string_view::npos ? sql_.size() : close + tag.size();
    }

    void colon() {
        const std::size_t begin = at_++;
        if (here() == ':') {
            ++at_;
        } else if (starts_name(here())) {
            skip_while(continues_name);
            found_.placeholders.push_back(
                {begin, std::string(sql_.substr(begin + 1, at_ - begin - 1))});
        }
    }

    std::string_view sql_;
    std::size_t at_ = 0;
    ScanResult found_;
};

}  // namespace

ScanResult scan(std::string_view sql) { return Scanner(sql).run(); }

}  // namespace svc::query
