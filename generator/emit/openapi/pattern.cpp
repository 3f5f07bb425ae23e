#include "emit/openapi/pattern.hpp"

#include <string_view>

#include "base/ascii.hpp"

namespace svc::emit {
namespace {

constexpr std::string_view kSpecial = "^$\\.*+?()[]{}|";

// Reads what both languages have and read alike, and makes the shortest text on its way.
class Reader {
  public:
    explicit Reader(std::string_view pattern) : rest_(pattern) {}

    std::optional<std::string> read() {
        std::string out = alternatives();
        if (!sound_ || !rest_.empty()) return std::nullopt;
        return out;
    }

  private:
    static constexpr unsigned kDeepest = 20;

    char look() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool take(char c) {
        if (look() != c || rest_.empty()) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string fail() {
        sound_ = false;
        rest_ = {};
        return {};
    }

    std::string alternatives() {
        std::string first = branch();
        while (take('|')) branch();
        return first;
    }

    std::string branch() {
        if (rest_.empty() || look() == '|' || look() == ')') return fail();
        std::string out;
        while (!rest_.empty() && look() != '|' && look() != ')') {
            if (take('^') || take('$')) continue;
            const std::string one = atom();
            for (unsigned times = quantifier(); times > 0; --times) out += one;
        }
        return out;
    }

    std::string atom() {
        if (take('(')) return group();
        if (take('[')) return bracket();
        if (take('.')) return "a";
        if (take('\\')) return escape(kSpecial);
        const char c = look();
        if (static_cast<signed char>(c) < ' ' || kSpecial.find(c) != std::string_view::npos) {
            return fail();
        }
        rest_.remove_prefix(1);
        return {c};
    }

    std::string group() {
        if (++depth_ > kDeepest) return fail();
        if (take('?') && !take(':')) return fail();
        std::string out = alternatives();
        --depth_;
        return take(')') ? out : fail();
    }

    // The text after a backslash: a class of characters, or one of `plain` itself.
    std::string escape(std::string_view plain) {
        if (rest_.empty()) return fail();
        const char c = look();
        rest_.remove_prefix(1);
        if (c == 'd') return "0";
        if (c == 'w') return "a";
        if (c == 's') return " ";
        return plain.find(c) != std::string_view::npos ? std::string{c} : fail();
    }

    // A negated bracket is checked only by PostgreSQL: an example for it would have to be searched.
    std::string bracket() {
        if (look() == '^' || look() == ']') return fail();
        std::string first;
        while (!rest_.empty() && look() != ']') {
            const bool is_escape = look() == '\\';
            const std::string one = member();
            if (first.empty()) first = one;
            if (rest_.size() < 2 || look() != '-' || rest_[1] == ']') continue;
            rest_.remove_prefix(1);
            if (is_escape || look() == '\\' || member() < one) return fail();
        }
        return take(']') ? first : fail();
    }

    std::string member() {
        if (take('\\')) return escape("\\]-^");
        const char c = look();
        if (static_cast<signed char>(c) < ' ' || c == '[') return fail();
        rest_.remove_prefix(1);
        return {c};
    }

    // The least number of repetitions.
    unsigned quantifier() {
        unsigned least = 1;
        if (take('*') || take('?')) {
            least = 0;
        } else if (take('{')) {
            least = count();
            if (take(',') && base::is_digit(look())) count();
            if (!take('}')) fail();
        } else if (!take('+')) {
            return least;
        }
        take('?');  // the shortest match instead of the longest: the answer is the same
        if (kQuantifiers.find(look()) != std::string_view::npos && !rest_.empty()) fail();
        return least;
    }

    unsigned count() {
        constexpr unsigned kMost = 255;  // PostgreSQL's
        unsigned value = 0;
        if (!base::is_digit(look())) fail();
        for (; base::is_digit(look()) && value <= kMost; rest_.remove_prefix(1)) {
            value = value * 10 + static_cast<unsigned>(look() - '0');
        }
        if (value > kMost) fail();
        return sound_ ? value : 0;
    }

    static constexpr std::string_view kQuantifiers = "*+?{";
    std::string_view rest_;
    bool sound_ = true;
    unsigned depth_ = 0;
};

}  // namespace

std::optional<std::string> portable_example(const std::string& pattern) {
    return Reader(pattern).read();
}

}  // namespace svc::emit
