#include "model/flow/topic_name.hpp"

#include <set>
#include <utility>

namespace svc::model {
namespace {

constexpr char kHole = '\0';

// Each hole as one character.
std::string folded(const std::string& name) {
    std::string out;
    for (const std::string& piece : pieces_of(name)) out += piece + kHole;
    out.pop_back();
    return out;
}

bool fits_hole(char c) { return c != ':'; }

}  // namespace

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> out;
    for (std::size_t open = name.find('{'); open != std::string::npos;) {
        const std::size_t close = name.find('}', open);
        if (close == std::string::npos) break;
        out.push_back(name.substr(open + 1, close - open - 1));
        open = name.find('{', close);
    }
    return out;
}

std::vector<std::string> pieces_of(const std::string& name) {
    std::vector<std::string> out;
    std::size_t from = 0;
    for (std::size_t open = name.find('{'); open != std::string::npos;) {
        const std::size_t close = name.find('}', open);
        if (close == std::string::npos) break;
        out.push_back(name.substr(from, open - from));
        from = close + 1;
        open = name.find('{', from);
    }
    out.push_back(name.substr(from));
    return out;
}

// Both are walked by the same characters, a hole by one or more.
bool may_be_same(const std::string& one, const std::string& other) {
    const std::string a = folded(one);
    const std::string b = folded(other);
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, 0}};
    while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) continue;
        const auto [i, j] = at;
        if (i == a.size() && j == b.size()) return true;
        if (i == a.size() || j == b.size()) continue;
        const bool first = a[i] == kHole;
        const bool second = b[j] == kHole;
        if (!first && !second && a[i] != b[j]) continue;
        if (first && !second && !fits_hole(b[j])) continue;
        if (second && !first && !fits_hole(a[i])) continue;
        open.emplace_back(i + 1, j + 1);
        if (first) open.emplace_back(i, j + 1);
        if (second) open.emplace_back(i + 1, j);
    }
    return false;
}

// A hole of `other` counts as a new text, which only a hole of `name` can cover.
bool covers(const std::string& name, const std::string& other) {
    const std::string a = folded(name);
    const std::string b = folded(other);
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, 0}};
    while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        const auto [i, j] = at;
        if (!seen.insert(at).second) continue;
        if (i == a.size() && j == b.size()) return true;
        if (i == a.size() || j == b.size()) continue;
        const bool hole = a[i] == kHole;
        if (hole ? !fits_hole(b[j]) : a[i] != b[j]) continue;
        open.emplace_back(i + 1, j + 1);
        if (hole) open.emplace_back(i, j + 1);
    }
    return false;
}

}  // namespace svc::model
