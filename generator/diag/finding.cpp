#include "diag/finding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/utf8.hpp"
#include "diag/characters.hpp"

namespace svc::diag {
namespace {

constexpr std::size_t kMaxText = 600;

// A sentence may quote what the author wrote, however long that is and whatever it would do to a
// terminal.
std::string legible(std::string text) {
    if (text.size() > kMaxText) {
        std::size_t head = kMaxText * 2 / 3, tail = text.size() - kMaxText / 3;
        while (head > 0 && base::continues_character(text[head])) --head;
        while (tail < text.size() && base::continues_character(text[tail])) ++tail;
        text = text.substr(0, head) + " \xe2\x80\xa6 " + text.substr(tail);
    }
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    return text;
}

}  // namespace

void Findings::error(std::string code, std::string path, std::string message, std::string fix) {
    add({Severity::error, std::move(code), std::move(path), 0, 0, std::move(message),
         std::move(fix)});
}

void Findings::warning(std::string code, std::string path, std::string message, std::string fix) {
    add({Severity::warning, std::move(code), std::move(path), 0, 0, std::move(message),
         std::move(fix)});
}

void Findings::add(Finding finding) {
    finding.message = legible(std::move(finding.message));
    finding.fix = legible(std::move(finding.fix));
    std::size_t& count = finding.severity == Severity::error ? errors_ : warnings_;
    if (count > kMost) return;
    if (count++ < kMost) return items_.push_back(std::move(finding));
    items_.push_back({finding.severity, "TOO_MANY_FINDINGS", "", 0, 0,
                      "The contract has more than " + std::to_string(kMost) +
                          " findings of this kind. The rest are not shown.",
                      "correct the first ones, and check again"});
}

bool Findings::doubts(const std::string& name_or_path) const {
    const bool path = name_or_path.starts_with('/');
    return doubts_.count(name_or_path) > 0 || (!path && doubts_.count(kAnyName) > 0);
}

void Findings::missing(std::string code, const std::string& name_or_path, std::string path,
                       std::string message, std::string fix) {
    if (doubts(name_or_path)) return;
    error(std::move(code), std::move(path), std::move(message), std::move(fix));
}

bool Findings::has_errors() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const Finding& finding) { return finding.severity == Severity::error; });
}

void Findings::sort() {
    std::stable_sort(items_.begin(), items_.end(), [](const Finding& a, const Finding& b) {
        return std::tie(a.line, a.column, a.path) < std::tie(b.line, b.column, b.path);
    });
}

}  // namespace svc::diag
