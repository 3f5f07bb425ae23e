// The grammar of RFC 8259 over a text: strict, without recursion deeper than kMaxDepth, and with
// every digit and byte kept. JsonReader and parse() use it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace svc::json {

inline constexpr unsigned kMaxDepth = 64;

enum class Token { string, number, object, array, true_word, false_word, null_word, end, other };

// The first problem is kept; after it every call returns false.
class Lexer {
  public:
    enum class Problem { none, syntax, nul };

    explicit Lexer(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

    std::size_t at() const { return at_; }
    Problem problem() const { return problem_; }
    const std::string& message() const { return message_; }  // of the problem, a whole sentence

    Token peek();       // of the next value, white space skipped
    bool take(char c);  // white space, then this character; else it stays where it is
    bool expect(char c);
    bool expect_end();

    // Each expects its kind of value next.
    bool string(std::string& out);  // unescaped, valid UTF-8
    bool number(std::string_view& raw);
    // Any value: checked whole, `raw` is its text.
    bool value(std::string_view& raw);

    bool fail(std::string_view what);  // syntax, at this place; always false

  private:
    bool scan(unsigned depth);
    bool scan_list(char close, bool members, unsigned depth);
    bool word(std::string_view word);
    bool escape(std::string& out);
    bool unicode_escape(std::string& out);
    bool hex4(unsigned& unit);
    bool utf8_sequence();
    bool digits();
    void skip_space();

    std::string_view text_;
    std::size_t at_;
    Problem problem_ = Problem::none;
    std::string message_;
    std::string unused_;
};

}  // namespace svc::json
