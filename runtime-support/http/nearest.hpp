// The name that somebody meant. A header alone: the generator, the client and the servers, which
// link nothing in common, ask the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace svc::http {

// Damerau-Levenshtein (optimal string alignment), case ignored.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            cost[i][j] = std::min(
                {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

// Of names, each convertible to std::string_view, the one nearest to `word`; empty where none is
// near. A view into `candidates`.
template <class Names>
std::string_view nearest(std::string_view word, const Names& candidates) {
    // The cost is quadratic, and nobody mistypes more than a name.
    constexpr std::size_t kLongest = 64;
    if (word.empty() || word.size() > kLongest) return {};
    std::string_view best;
    std::size_t best_distance = 1 + word.size() / 3;  // what is further away misleads
    for (const auto& each : candidates) {
        const std::string_view candidate = each;
        if (candidate.size() > kLongest) continue;
        const std::size_t d = edit_distance(word, candidate);
        const bool whole_word_changed = d >= std::max(word.size(), candidate.size());
        if (whole_word_changed || d > best_distance || (d == best_distance && !best.empty())) {
            continue;
        }
        best = candidate;
        best_distance = d;
    }
    return best;
}

}  // namespace svc::http
