#include "model/flow/topic_name.hpp"

#include <set>
#include <utility>

namespace svc::model {
namespace {

constexpr char kPlaceholder = '\0';

// Each placeholder as one character.
std::string folded(const std::string& name) {
    std::string out;
    for (const std::string& piece : pieces_of(name)) out += piece + kPlaceholder;
    out.pop_back();
    return out;
}

bool fits_placeholder(char c) { return c != ':'; }

// Two characters beside each other: whether they may stand there, and which of them may stand for
// the next one of the other, too.
struct Meeting {
    bool fits, first_stays, second_stays;
};

// Whether both texts can be walked to their ends, a character of each at a time.
template <class Meet>
bool walked(const std::string& a, const std::string& b, Meet meet) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, 0}};
    while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) continue;
        const auto [i, j] = at;
        if (i == a.size() && j == b.size()) return true;
        if (i == a.size() || j == b.size()) continue;
        const Meeting met = meet(a[i], b[j]);
        if (!met.fits) continue;
        open.emplace_back(i + 1, j + 1);
        if (met.first_stays) open.emplace_back(i, j + 1);
        if (met.second_stays) open.emplace_back(i + 1, j);
    }
    return false;
}

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

// A placeholder of either may be what the other has there.
bool may_be_same(const std::string& one, const std::string& other) {
    return walked(folded(one), folded(other), [](char a, char b) {
        const bool first = a == kPlaceholder, second = b == kPlaceholder;
        const bool fits = first || second
                              ? (first || fits_placeholder(a)) && (second || fits_placeholder(b))
                              : a == b;
        return Meeting{fits, first, second};
    });
}

// A placeholder of `other` counts as a new text, which only a placeholder of `name` can cover.
bool covers(const std::string& name, const std::string& other) {
    return walked(folded(name), folded(other), [](char a, char b) {
        const bool placeholder = a == kPlaceholder;
        return Meeting{placeholder ? fits_placeholder(b) : a == b, placeholder, false};
    });
}

}  // namespace svc::model
