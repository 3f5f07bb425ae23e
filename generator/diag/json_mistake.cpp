#include "diag/json_mistake.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/utf8.hpp"
#include "diag/characters.hpp"

namespace svc::diag {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kNone = std::string_view::npos;

struct Known {
    std::string_view words;         // of the library, in its message
    std::string_view message, fix;  // ours
};

// The first that fits.
constexpr Known kKnown[] = {
    {"missing closing quote", "a string has no closing quote", "add \" where the string ends"},
    {"control character", "a string contains a line break, a tab or another control character",
     "close the string on its line; write \\n for a line break and \\t for a tab"},
    {"forbidden character after backslash", "no character like this may follow a backslash",
     "write \\\\ for a backslash"},
    {"ill-formed UTF-8", "a string is not UTF-8", "save the file as UTF-8"},
    {"invalid number", "this is not a number", "write a number like 1, -2 or 0.5"},
    {"object key - invalid literal", "a key has no quotes", "write keys in quotes: \"name\""},
    {"invalid literal", "this is not a value",
     "write strings in quotes: \"name\"; other values are numbers, true, false and null"},
    {"object separator", "a colon is missing between a key and its value", "write \"key\": value"},
    {"; expected end of input", "something follows the end of the contract",
     "remove it: a contract is one object"},
    {"unexpected end of input", "the text ends before all is closed",
     "add what is missing, and the closing } or ]"},
    {"object key - unexpected '{'", "an object stands where a key is expected",
     "put a list of objects in [ and ]; in an object write \"key\": value"},
    {"object key - unexpected", "a key is missing here",
     "write \"key\": value, or remove the comma before this"},
    {"parsing value - unexpected ','", "a value is missing before this comma",
     "write the value, or remove the comma"},
    {"parsing value - unexpected", "a value is missing here", "write the value"},
    {"unexpected '}'; expected ']'", "a list is not closed", "write ] before this"},
    {"unexpected ']'; expected '}'", "an object is not closed", "write } before this"},
    {"parsing object - unexpected", "a comma is missing before this",
     "add a comma after the value before this"},
    {"parsing array - unexpected", "a comma is missing before this",
     "add a comma after the value before this"},
};

const Known* known(std::string_view words) {
    const auto* found = std::ranges::find_if(
        kKnown, [&](const Known& one) { return words.find(one.words) != words.npos; });
    return found == std::end(kKnown) ? nullptr : found;
}

// The library quotes what it read last; the rendered finding shows the line itself.
std::string plain(std::string_view words) {
    if (const Known* ours = known(words))
        return "This is not JSON: " + std::string(ours->message) + ".";
    const std::size_t begin = words.find("syntax error");
    return "This is not JSON: " +
           std::string(begin == kNone ? words
                                      : words.substr(begin, words.find("; last read: ") - begin)) +
           ".";
}

bool begins_comment(std::string_view text, std::size_t at) {
    const std::string_view two = text.substr(std::min(at, text.size()), 2);
    return two == "//" || two == "/*" || two.starts_with('#');
}

bool is_comment(std::string_view text, std::size_t at) {
    return begins_comment(text, at) || (at > 0 && begins_comment(text, at - 1));
}

bool is_blank(std::string_view text) { return text.find_first_not_of(kBlank) == kNone; }

// The fix for syntax of other languages.
std::string fix_of(std::string_view text, std::size_t at) {
    if (is_blank(text)) return "begin with {\"app\": {\"name\": \"…\"}, \"entities\": []}";
    if (is_comment(text, at))
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
    finding.message = is_blank(text)         ? "The file is empty."
                      : is_comment(text, at) ? "This is not JSON: it has a comment."
                                             : plain(words);
    finding.fix = fix_of(text, at);
    const Known* ours = known(words);
    if (finding.fix.empty() && ours != nullptr) finding.fix = ours->fix;
    return finding;
}

}  // namespace svc::diag
