#include "diag/json_mistake.hpp"

#include <algorithm>
#include <string>

#include "base/utf8.hpp"
#include "diag/characters.hpp"

namespace svc::diag {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kNone = std::string_view::npos;

// The library quotes what it read last; the rendered finding shows the line itself.
std::string plain(std::string_view words) {
    const std::size_t begin = words.find("syntax error");
    if (begin == kNone) return std::string(words);
    const std::string_view detail = words.substr(begin);
    const std::size_t quoted = detail.find("; last read: "), expected = detail.rfind("; expected ");
    std::string out = "This is not JSON: " + std::string(detail.substr(0, quoted));
    if (quoted != kNone && expected != kNone && expected > quoted) out += detail.substr(expected);
    return out + ".";
}

bool begins_comment(std::string_view text, std::size_t at) {
    const std::string_view two = text.substr(std::min(at, text.size()), 2);
    return two == "//" || two == "/*" || two.starts_with('#');
}

// The fix for syntax of other languages.
std::string mend(std::string_view text, std::size_t at) {
    if (text.find_first_not_of(kBlank) == kNone)
        return "the file is empty: begin with {\"app\": {\"name\": \"…\"}, \"entities\": []}";
    if (begins_comment(text, at) || (at > 0 && begins_comment(text, at - 1)))
        return "JSON has no comments: remove it, or move it to a \"description\" or \"label\"";
    const std::string_view before = text.substr(0, std::min(at + 1, text.size()));
    const std::size_t last = before.find_last_not_of(kBlank);
    if (last == kNone) return {};
    if (before[last] == '\'') return "write strings and keys in double quotes: \"name\"";
    const bool closes = before[last] == '}' || before[last] == ']';
    const std::size_t ahead = last == 0 ? kNone : before.substr(0, last).find_last_not_of(kBlank);
    if (closes && ahead != kNone && before[ahead] == ',')
        return "remove the comma after the last item";
    return {};
}

}  // namespace

Finding json_mistake(std::string_view text, std::size_t read, std::string_view words) {
    const std::size_t at = read == 0 ? 0 : read - 1;
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    Finding finding;
    finding.code = "SYNTAX";
    finding.line = 1 + static_cast<int>(std::ranges::count(before, '\n'));
    finding.column = static_cast<int>(base::characters(line)) + 1;
    finding.message = plain(words);
    finding.fix = mend(text, at);
    return finding;
}

}  // namespace svc::diag
