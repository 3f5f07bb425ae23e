#include <algorithm>

#include "base/utf8.hpp"
#include "diag/characters.hpp"
#include "diag/finding.hpp"

namespace svc::diag {
namespace {

constexpr std::size_t kWidth = 100;  // of the shown piece of a line, in bytes

constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kYellow = "\033[1;35m";
constexpr std::string_view kGreen = "\033[1;32m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kReset = "\033[0m";

std::string_view line_of(std::string_view text, int number) {
    for (int i = 1; i < number; ++i) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return text;
}

struct Excerpt {
    std::string line;
    std::string caret;
};

// A window of the line around the column, which counts characters. Tabs become single blanks, so
// that the caret, which is counted in characters, stands right in any terminal; so do other control
// characters.
Excerpt excerpt(std::string_view line, std::size_t column) {
    std::size_t at = 0;
    for (std::size_t left = column == 0 ? 1 : column; at < line.size(); ++at) {
        if (!base::continues_character(line[at]) && --left == 0) break;
    }
    std::size_t begin = at > kWidth * 2 / 3 && line.size() > kWidth ? at - kWidth * 2 / 3 : 0;
    while (begin > 0 && base::continues_character(line[begin])) --begin;
    std::size_t end = std::min(begin + kWidth, line.size());
    while (end < line.size() && base::continues_character(line[end])) ++end;

    Excerpt shown;
    if (begin > 0) shown.line = "...";
    shown.caret.assign(shown.line.size(), ' ');
    for (std::size_t i = begin; i < end; ++i) {
        shown.line += is_control(line[i]) ? ' ' : line[i];
        if (i < at && !base::continues_character(line[i])) shown.caret += ' ';
    }
    if (end < line.size()) shown.line += "...";
    shown.caret += '^';
    return shown;
}

std::string paint(std::string_view text, std::string_view style, bool colour) {
    if (!colour) return std::string(text);
    return std::string(style).append(text).append(kReset);
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::string render(const Finding& finding, std::string_view file, std::string_view text,
                   bool colour) {
    const bool is_error = finding.severity == Severity::error;
    std::string place(file);
    if (finding.line > 0) {
        place += ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
    }
    std::string out = paint(place + ":", kBold, colour) + " ";
    out += paint(is_error ? "error:" : "warning:", is_error ? kRed : kYellow, colour);
    out += " " + finding.message + " [" + finding.code + "]\n";
    if (finding.line > 0) {
        const Excerpt shown =
            excerpt(line_of(text, finding.line), static_cast<std::size_t>(finding.column));
        out += "  " + shown.line + "\n  " + paint(shown.caret, kGreen, colour) + "\n";
    }
    if (!finding.fix.empty()) out += "  fix: " + finding.fix + "\n";
    return out;
}

std::string render(const Findings& findings, std::string_view file, std::string_view text,
                   bool colour) {
    std::string out;
    std::size_t errors = 0;
    for (const Finding& finding : findings.all()) {
        if (finding.severity == Severity::error) ++errors;
        out += render(finding, file, text, colour);
    }
    return out.append(file) + ": " + counted(errors, "error") + ", " +
           counted(findings.all().size() - errors, "warning") + "\n";
}

}  // namespace svc::diag
