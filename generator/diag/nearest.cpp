#include <algorithm>
#include <array>

#include "diag/finding.hpp"

namespace svc::diag {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::size_t kLongest = 64;  // the cost is quadratic, and nobody mistypes more than a name

using Row = std::array<std::size_t, kLongest + 1>;

// Damerau-Levenshtein (optimal string alignment), case ignored. Of words of `kLongest` bytes at
// most; a wrong name in a large contract is compared with thousands of others.
std::size_t distance(std::string_view a, std::string_view b) {
    Row rows[3];
    for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        Row& now = rows[i % 3];
        const Row& above = rows[(i + 2) % 3];
        const Row& before = rows[(i + 1) % 3];
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            std::size_t cost = above[j - 1] + (same ? 0 : 1);
            if (above[j] + 1 < cost) cost = above[j] + 1;
            if (now[j - 1] + 1 < cost) cost = now[j - 1] + 1;
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped && before[j - 2] + 1 < cost) cost = before[j - 2] + 1;
            now[j] = cost;
        }
    }
    return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > kLongest) return {};
    std::string best;
    std::size_t best_distance = 1 + word.size() / 3;  // what is further away misleads
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongest) continue;
        const std::size_t longer = std::max(word.size(), candidate.size());
        if (longer - std::min(word.size(), candidate.size()) > best_distance) continue;
        const std::size_t d = distance(word, candidate);
        const bool whole_word_changed = d >= longer;
        if (whole_word_changed || d > best_distance || (d == best_distance && !best.empty())) {
            continue;
        }
        best = candidate;
        best_distance = d;
    }
    return best;
}

}  // namespace svc::diag
