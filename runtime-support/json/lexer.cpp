#include "json/lexer.hpp"

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/utf8.hpp"

namespace svc::json {

namespace {

void append_utf8(std::string& out, unsigned point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xC0 | (point >> 6));
        out += static_cast<char>(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        out += static_cast<char>(0xE0 | (point >> 12));
        out += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (point & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (point >> 18));
        out += static_cast<char>(0x80 | ((point >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((point >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (point & 0x3F));
    }
}

bool plain(char c) { return static_cast<unsigned char>(c) - 0x20U < 0x60 && c != '"' && c != '\\'; }

}  // namespace

bool Lexer::fail(std::string_view what) {
    if (problem_ == Problem::none) {
        problem_ = Problem::syntax;
        message_ = "Not valid JSON at byte " + std::to_string(at_ + 1) + ": " + std::string(what);
    }
    return false;
}

void Lexer::skip_space() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
        ++at_;
    }
}

Token Lexer::peek() {
    skip_space();
    if (at_ >= text_.size()) return Token::end;
    switch (text_[at_]) {
        case '"':
            return Token::string;
        case '{':
            return Token::object;
        case '[':
            return Token::array;
        case 't':
            return Token::true_word;
        case 'f':
            return Token::false_word;
        case 'n':
            return Token::null_word;
        default:
            return text_[at_] == '-' || base::is_digit(text_[at_]) ? Token::number : Token::other;
    }
}

bool Lexer::take(char c) {
    skip_space();
    if (problem_ != Problem::none || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

bool Lexer::expect(char c) { return take(c) || fail(std::string("expected '") + c + "'."); }

bool Lexer::expect_end() {
    return peek() == Token::end || fail("there is text after the end of the value.");
}

// ---- strings ----

bool Lexer::string(std::string& out) {
    out.clear();
    if (!expect('"')) return false;
    while (at_ < text_.size()) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && plain(text_[at_])) ++at_;
        if (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x80) {
            if (!utf8_sequence()) return false;
            out.append(text_, begin, at_ - begin);
            continue;
        }
        out.append(text_, begin, at_ - begin);
        if (at_ >= text_.size()) break;
        const char c = text_[at_];
        if (c == '"') {
            ++at_;
            return true;
        }
        if (c != '\\') return fail("a control character must be escaped.");
        if (!escape(out)) return false;
    }
    return fail("a string is not closed.");
}

bool Lexer::escape(std::string& out) {
    ++at_;
    if (at_ >= text_.size()) return fail("a string is not closed.");
    const char c = text_[at_++];
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeans = "\"\\/\b\f\n\r\t";
    if (const auto found = kNames.find(c); found != std::string_view::npos) {
        out += kMeans[found];
        return true;
    }
    return c == 'u' ? unicode_escape(out) : fail("this escape is not known.");
}

bool Lexer::hex4(unsigned& unit) {
    if (text_.size() - at_ < 4) return fail("\\u needs four hexadecimal digits.");
    unit = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = base::hex_value(text_[at_++]);
        if (digit < 0) return fail("\\u needs four hexadecimal digits.");
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return true;
}

bool Lexer::unicode_escape(std::string& out) {
    unsigned point = 0;
    if (!hex4(point)) return false;
    if (point == 0) {  // valid JSON, but no text in PostgreSQL can hold it
        problem_ = Problem::nul;
        message_ = "A string cannot contain the character U+0000.";
        return false;
    }
    if (point >= 0xDC00 && point < 0xE000) return fail("a surrogate has no partner.");
    if (point >= 0xD800 && point < 0xDC00) {
        if (text_.substr(at_, 2) != "\\u") return fail("a surrogate has no partner.");
        at_ += 2;
        unsigned low = 0;
        if (!hex4(low)) return false;
        if (low < 0xDC00 || low >= 0xE000) return fail("a surrogate has no partner.");
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, point);
    return true;
}

bool Lexer::utf8_sequence() {
    const std::size_t length = base::utf8_sequence(text_.substr(at_));
    if (length == 0) return fail("invalid UTF-8.");
    at_ += length;
    return true;
}

// ---- other values ----

bool Lexer::digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && base::is_digit(text_[at_])) ++at_;
    return at_ > begin || fail("the number is not complete.");
}

bool Lexer::number(std::string_view& raw) {
    if (peek() != Token::number) return fail("expected a number.");
    const std::size_t begin = at_;
    const auto next_is = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
    if (next_is('-')) ++at_;
    if (next_is('0')) {
        ++at_;
        if (at_ < text_.size() && base::is_digit(text_[at_]))
            return fail("the number begins with an extra zero.");
    } else if (!digits()) {
        return false;
    }
    if (next_is('.')) {
        ++at_;
        if (!digits()) return false;
    }
    if (next_is('e') || next_is('E')) {
        ++at_;
        if (next_is('+') || next_is('-')) ++at_;
        if (!digits()) return false;
    }
    raw = text_.substr(begin, at_ - begin);
    return true;
}

bool Lexer::word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail("expected a value.");
    at_ += word.size();
    return true;
}

bool Lexer::value(std::string_view& raw) {
    peek();
    const std::size_t begin = at_;
    if (problem_ != Problem::none || !scan(0)) return false;
    raw = text_.substr(begin, at_ - begin);
    return true;
}

bool Lexer::scan(unsigned depth) {
    std::string_view raw;
    switch (peek()) {
        case Token::string:
            return string(unused_);
        case Token::number:
            return number(raw);
        case Token::true_word:
            return word("true");
        case Token::false_word:
            return word("false");
        case Token::null_word:
            return word("null");
        case Token::object:
            return scan_list('}', true, depth + 1);
        case Token::array:
            return scan_list(']', false, depth + 1);
        case Token::end:
            return fail("the text ends where a value is expected.");
        case Token::other:
            return fail("expected a value.");
    }
    return false;
}

bool Lexer::scan_list(char close, bool members, unsigned depth) {
    if (depth > kMaxDepth) return fail("the value is nested more than 64 levels deep.");
    ++at_;
    if (take(close)) return true;
    do {
        if (members && (!string(unused_) || !expect(':'))) return false;
        if (!scan(depth)) return false;
    } while (take(','));
    return expect(close);
}

}  // namespace svc::json
