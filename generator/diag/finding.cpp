#include "diag/finding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace svc::diag {

void Findings::error(std::string code, std::string path, std::string message, std::string fix) {
    add({Severity::error, std::move(code), std::move(path), 0, 0, std::move(message),
         std::move(fix)});
}

void Findings::warning(std::string code, std::string path, std::string message, std::string fix) {
    add({Severity::warning, std::move(code), std::move(path), 0, 0, std::move(message),
         std::move(fix)});
}

void Findings::add(Finding finding) { items_.push_back(std::move(finding)); }

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
