#include "patch/adopted_checks.hpp"

#include <algorithm>
#include <regex>

#include "patch/edit.hpp"

namespace svc::devapi::patch {
namespace {

constexpr std::size_t kLongestCheck = 2000;  // bytes; expressions are matched by std::regex

// The position that closes the quote or parenthesis at `at`; npos if none does.
std::size_t closing(const std::string& text, std::size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '\'') {
            for (++at; at < text.size() && text[at] != '\''; ++at) continue;
            if (at >= text.size()) return std::string::npos;
            continue;
        }
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at;
    }
    return std::string::npos;
}

std::string stripped(std::string text) {
    while (text.starts_with('(') && closing(text, 0) == text.size() - 1)
        text = text.substr(1, text.size() - 2);
    return text;
}

// The parts that AND joins, outside of parentheses and quotes.
std::vector<std::string> conjuncts(const std::string& condition) {
    std::vector<std::string> out;
    std::size_t begin = 0;
    bool quoted = false;
    int depth = 0;
    for (std::size_t i = 0; i < condition.size(); ++i) {
        const char c = condition[i];
        if (c == '\'') quoted = !quoted;
        if (quoted) continue;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth != 0 || condition.compare(i, 5, " AND ") != 0) continue;
        out.push_back(stripped(condition.substr(begin, i - begin)));
        begin = i + 5;
    }
    out.push_back(stripped(condition.substr(begin)));
    return out;
}

std::string unescaped(std::string text) {
    for (auto at = text.find("''"); at != std::string::npos; at = text.find("''", at + 1))
        text.erase(at, 1);
    return text;
}

std::optional<std::vector<std::string>> list_of(const std::string& text) {
    static const std::regex item(R"('((?:[^']|'')*)'::(?:text|character varying)(?:, |$))");
    std::vector<std::string> out;
    auto at = text.cbegin();
    for (std::smatch found; at != text.cend(); at = found[0].second) {
        if (!std::regex_search(at, text.cend(), found, item,
                               std::regex_constants::match_continuous))
            return std::nullopt;
        out.push_back(unescaped(found[1].str()));
    }
    return out.empty() ? std::nullopt : std::optional(out);
}

class Check {
  public:
    Check(const std::string& column, const std::string& type, Limits& limits)
        : column_(R"(\(?"?)" + column + R"("?\)?(?:::text)?)"), type_(type), limits_(limits) {}

    bool take(const std::string& part) {
        return take_values(part) || take_range(part) || take_length(part) || take_pattern(part);
    }

  private:
    bool whole() const { return type_ == "integer" || type_ == "bigint" || type_ == "smallint"; }

    bool take_values(const std::string& part) {
        const std::regex any("^" + column_ + R"( = ANY \(\(?ARRAY\[(.*?)\]\)?(?:::text\[\])?\)$)");
        const std::regex one("^" + column_ + " = ('.*'::(?:text|character varying))$");
        std::smatch found;
        if (!std::regex_match(part, found, any) && !std::regex_match(part, found, one))
            return false;
        auto values = list_of(found[1].str());
        if (!values || !limits_.values.empty()) return false;
        limits_.values = std::move(*values);
        return true;
    }

    // A bound that is not taken in becomes the next whole number, if there is one.
    std::optional<std::string> bound(const std::string& number, const std::string& op) const {
        if (op == ">=" || op == "<=") return number;
        if (!whole() || number.find('.') != std::string::npos || number.size() > 15)
            return std::nullopt;
        return std::to_string(std::stoll(number) + (op == ">" ? 1 : -1));
    }

    bool take_range(const std::string& part) {
        static const std::string number =
            R"( (>=|<=|>|<) \(?'?(-?[0-9]+(?:[.][0-9]+)?)'?\)?(?:::[a-z ]+)?$)";
        static const std::string day = R"( (>=|<=) '([0-9]{4}-[0-9]{2}-[0-9]{2})'::date$)";
        std::smatch found;
        std::optional<std::string> value;
        if (std::regex_match(part, found, std::regex("^" + column_ + number)))
            value = bound(found[2].str(), found[1].str());
        else if (type_ == "date" && std::regex_match(part, found, std::regex("^" + column_ + day)))
            value = json_text(found[2].str());
        if (!value) return false;
        auto& limit = found[1].str().front() == '>' ? limits_.min : limits_.max;
        if (limit) return false;
        limit = std::move(value);
        return true;
    }

    bool take_length(const std::string& part) {
        std::smatch found;
        if (std::regex_match(part, std::regex("^" + column_ + " <> ''::text$")))
            return take_shortest(1);
        if (!std::regex_match(part, found,
                              std::regex(R"(^(?:length|char_length|character_length)\()" + column_ +
                                         R"(\) (>=|<=|>|<) ([0-9]{1,9})$)")))
            return false;
        const std::string op = found[1].str();
        const std::size_t count = std::stoul(found[2].str());
        if (op.front() == '>') return take_shortest(count + (op == ">" ? 1 : 0));
        if (op == "<" && count == 0) return false;
        const std::size_t most = count - (op == "<" ? 1 : 0);
        limits_.longest = std::min(limits_.longest.value_or(most), most);
        return true;
    }

    bool take_shortest(std::size_t count) {
        limits_.shortest = std::max(limits_.shortest.value_or(0), count);
        return true;
    }

    bool take_pattern(const std::string& part) {
        std::smatch found;
        if (limits_.pattern ||
            !std::regex_match(part, found,
                              std::regex("^" + column_ + R"( ~ '((?:[^']|'')*)'::text$)")))
            return false;
        limits_.pattern = unescaped(found[1].str());
        return true;
    }

    const std::string column_;
    const std::string& type_;
    Limits& limits_;
};

}  // namespace

bool take_check(const std::string& condition, const std::string& column, const std::string& type,
                Limits& limits) {
    if (condition.size() > kLongestCheck) return false;
    Check check(column, type, limits);
    const auto parts = conjuncts(stripped(condition));
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return check.take(part); });
}

}  // namespace svc::devapi::patch
