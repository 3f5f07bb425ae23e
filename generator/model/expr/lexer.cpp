#include <string_view>

#include "base/ascii.hpp"
#include "model/expr/syntax.hpp"

namespace svc::model {
namespace {

bool is_letter(char c) { return base::is_letter(c) || c == '_'; }

class Lexer {
  public:
    Lexer(std::string_view text, SyntaxError& error) : text_(text), error_(error) {}

    std::optional<std::vector<Token>> run() {
        for (;;) {
            while (!at_end() && std::string_view(" \t\r\n").find(text_[at_]) != kNone) ++at_;
            if (at_end()) break;
            if (!one()) return std::nullopt;
        }
        out_.push_back({Token::Kind::end, "", text_.size() + 1});
        return out_;
    }

  private:
    static constexpr std::size_t kNone = std::string_view::npos;

    bool one() {
        const char c = text_[at_];
        if (is_letter(c)) return name();
        if (base::is_digit(c)) return number();
        if (c == '\'' || c == '"') return string(c);
        return symbol();
    }

    bool name() {
        const std::size_t begin = at_;
        while (!at_end() && (is_letter(text_[at_]) || base::is_digit(text_[at_]))) ++at_;
        return push(Token::Kind::name, begin);
    }

    bool number() {
        const std::size_t begin = at_;
        while (!at_end() && base::is_digit(text_[at_])) ++at_;
        const bool fraction =
            at_ + 1 < text_.size() && text_[at_] == '.' && base::is_digit(text_[at_ + 1]);
        if (!fraction) return push(Token::Kind::integer, begin);
        ++at_;
        while (!at_end() && base::is_digit(text_[at_])) ++at_;
        return push(Token::Kind::decimal, begin);
    }

    // The escapes are those of CEL: \' \" \\ \n \r \t.
    bool string(char quote) {
        Token token{Token::Kind::text, "", at_ + 1};
        for (++at_; !at_end() && text_[at_] != quote; ++at_) {
            if (text_[at_] != '\\') {
                token.text += text_[at_];
                continue;
            }
            constexpr std::string_view kEscapes = "'\"\\nrt";
            constexpr std::string_view kMeanings = "'\"\\\n\r\t";
            const std::size_t known = ++at_ < text_.size() ? kEscapes.find(text_[at_]) : kNone;
            if (known == kNone)
                return fail("this escape sequence is unknown", at_,
                            "write \\\\\\\\ for a backslash");
            token.text += kMeanings[known];
        }
        if (at_end())
            return fail("this string has no closing quote", token.column,
                        std::string("add ") + quote + " where it ends");
        ++at_;
        out_.push_back(std::move(token));
        return true;
    }

    bool symbol() {
        constexpr std::string_view kLong[] = {"||", "&&", "==", "!=", "<=", ">="};
        const std::string_view two = text_.substr(at_, 2);
        for (const std::string_view known : kLong) {
            if (two != known) continue;
            at_ += 2;
            return push(Token::Kind::symbol, at_ - 2);
        }
        const bool ours = std::string_view("<>!+-*/().,[]").find(text_[at_]) != kNone;
        ++at_;
        return push(ours ? Token::Kind::symbol : Token::Kind::foreign, at_ - 1);
    }

    bool push(Token::Kind kind, std::size_t begin) {
        out_.push_back({kind, std::string(text_.substr(begin, at_ - begin)), begin + 1});
        return true;
    }

    bool fail(std::string message, std::size_t column, std::string fix) {
        error_ = {std::move(message), column, std::move(fix)};
        return false;
    }

    bool at_end() const { return at_ >= text_.size(); }

    std::string_view text_;
    SyntaxError& error_;
    std::vector<Token> out_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<Token>> tokens(std::string_view text, SyntaxError& error) {
    return Lexer(text, error).run();
}

}  // namespace svc::model
