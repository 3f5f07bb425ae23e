#include "data/sql/tokens.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::data::sql {

namespace {

constexpr std::size_t kMostName = 63;  // PostgreSQL cuts what is longer

bool space(char c) { return std::string_view(" \t\n\r\f\v").find(c) != std::string_view::npos; }
bool starts_word(char c) { return base::is_letter(c) || c == '_' || (c & '\x80') != 0; }
bool in_word(char c) { return starts_word(c) || base::is_digit(c) || c == '$'; }

class Scanner {
  public:
    explicit Scanner(std::string_view sql) : sql_(sql) {}

    Result<std::vector<SqlToken>> all();

  private:
    char here() const { return at_ < sql_.size() ? sql_[at_] : '\0'; }
    char next() const { return at_ + 1 < sql_.size() ? sql_[at_ + 1] : '\0'; }
    bool refuse(std::string_view why) {
        error_ = why;
        return false;
    }
    void add(SqlToken::Kind kind, std::size_t from, std::string text) {
        tokens_.push_back({kind, std::move(text), from, at_ - from});
    }

    bool step();
    bool word();
    bool number();
    bool param();
    bool enclosed(SqlToken::Kind kind);
    bool symbol();
    bool end();

    std::string_view sql_;
    std::size_t at_ = 0;
    std::string open_;  // parentheses that are open
    std::string error_;
    std::vector<SqlToken> tokens_;
};

Result<std::vector<SqlToken>> Scanner::all() {
    while (at_ < sql_.size()) {
        if (!step()) return bad_params(error_);
    }
    if (!open_.empty()) return bad_params("A parenthesis is not closed.");
    if (tokens_.empty()) return bad_params("sql is empty.");
    return std::move(tokens_);
}

bool Scanner::step() {
    const char c = here();
    if (space(c)) {
        ++at_;
        return true;
    }
    if (c == '\0') return refuse("SQL does not hold the character U+0000.");
    if ((c == '-' && next() == '-') || (c == '/' && next() == '*'))
        return refuse("Comments are not taken here.");
    if (starts_word(c)) return word();
    if (base::is_digit(c) || (c == '.' && base::is_digit(next()))) return number();
    if (c == '$') return param();
    if (c == '\'') return enclosed(SqlToken::string);
    if (c == '"') return enclosed(SqlToken::quoted);
    if (c == ';') return end();
    return symbol();
}

bool Scanner::word() {
    const std::size_t from = at_;
    while (in_word(here()) && at_ < sql_.size()) ++at_;
    if (at_ - from > kMostName) return refuse("A name has at most 63 bytes.");
    std::string text = base::lower(sql_.substr(from, at_ - from));
    // A prefix of a literal: e'…' b'…' x'…' n'…' u&'…' u&"…".
    const bool prefix = here() == '\'' || (text == "u" && here() == '&');
    if (prefix) return refuse("Texts stand between plain single quotes here.");
    add(SqlToken::word, from, std::move(text));
    return true;
}

bool Scanner::number() {
    const std::size_t from = at_;
    const auto digits = [&] {
        while (base::is_digit(here())) ++at_;
    };
    digits();
    if (here() == '.') ++at_;
    digits();
    if ((here() == 'e' || here() == 'E') &&
        (base::is_digit(next()) || ((next() == '+' || next() == '-') && at_ + 2 < sql_.size()))) {
        at_ += 2;
        digits();
    }
    if (in_word(here()) || here() == '.') return refuse("A number is followed by a letter.");
    add(SqlToken::number, from, std::string(sql_.substr(from, at_ - from)));
    return true;
}

bool Scanner::param() {
    const std::size_t from = at_++;
    while (base::is_digit(here())) ++at_;
    if (at_ - from < 2 || in_word(here())) {
        return refuse("After $ stands the number of a parameter; dollar quotes are not taken.");
    }
    add(SqlToken::param, from, std::string(sql_.substr(from, at_ - from)));
    return true;
}

bool Scanner::enclosed(SqlToken::Kind kind) {
    const std::size_t from = at_;
    const char quote = here();
    std::string text;
    for (++at_; at_ < sql_.size(); ++at_) {
        if (here() == quote) {
            if (next() != quote) {
                ++at_;
                if (kind == SqlToken::quoted && text.size() > kMostName) {
                    return refuse("A name has at most 63 bytes.");
                }
                add(kind, from, std::move(text));
                return true;
            }
            ++at_;
        }
        text += here();
    }
    return refuse("A quote is not closed.");
}

bool Scanner::symbol() {
    const char c = here();
    if (c == '(' || c == '[') {
        open_ += c;
    } else if (c == ')' || c == ']') {
        if (open_.empty() || open_.back() != (c == ')' ? '(' : '[')) {
            return refuse("A parenthesis closes what is not open.");
        }
        open_.pop_back();
    } else if (std::string_view("+-*/<>=~!@#%^&|`?:,.").find(c) == std::string_view::npos) {
        return refuse("A character is no part of SQL.");
    }
    const std::size_t from = at_++;
    add(SqlToken::symbol, from, std::string(1, c));
    return true;
}

bool Scanner::end() {
    const bool last = std::ranges::all_of(sql_.substr(at_ + 1), space);
    if (!last) return refuse("One statement at a time.");
    at_ = sql_.size();
    return true;
}

}  // namespace

Result<std::vector<SqlToken>> sql_tokens(std::string_view sql) { return Scanner(sql).all(); }

}  // namespace svc::data::sql
