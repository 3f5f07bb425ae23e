// Finds the name that somebody probably meant. Header only: the generator, the client and the
// servers, which link nothing in common, ask the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace svc::base {

// The cost is quadratic, and longer texts are not mistyped names.
inline constexpr std::size_t kLongestName = 64;

// Damerau-Levenshtein (optimal string alignment), case ignored. Of words of `kLongestName` bytes at
// most; a wrong name in a large contract is compared with thousands of others.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    using Row = std::array<std::size_t, kLongestName + 1>;
    Row rows[3];
    for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        Row& now = rows[i % 3];
        const Row& above = rows[(i + 2) % 3];
        const Row& before = rows[(i + 1) % 3];
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = std::min({above[j] + 1, now[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
    }
    return rows[a.size() % 3][b.size()];
}

// With more mistakes than this it is another word, and a suggestion would mislead.
inline constexpr std::size_t most_slips(std::size_t size) {
    return size < 6 ? 1 : size < 10 ? 2 : 3;
}

// True if one is the beginning of the other, in whole words: created and created_at.
inline bool begins_like(std::string_view a, std::string_view b) {
    const std::string_view shorter = a.size() < b.size() ? a : b;
    const std::string_view longer = a.size() < b.size() ? b : a;
    return shorter.size() > 2 && longer.size() > shorter.size() && longer.starts_with(shorter) &&
           longer[shorter.size()] == '_';
}

// The candidate nearest to `word`; empty if none is near. Candidates are convertible to
// std::string_view; the result is a view into them.
template <class Names>
std::string_view nearest(std::string_view word, const Names& candidates) {
    if (word.empty() || word.size() > kLongestName) return {};
    std::string_view best, alike;
    std::size_t best_distance = most_slips(word.size());
    for (const auto& each : candidates) {
        const std::string_view candidate = each;
        if (candidate.size() > kLongestName) continue;
        if (alike.empty() && begins_like(word, candidate)) alike = candidate;
        const std::size_t longer = std::max(word.size(), candidate.size());
        if (longer - std::min(word.size(), candidate.size()) > best_distance) continue;
        const std::size_t d = edit_distance(word, candidate);
        const bool whole_word_changed = d >= longer;
        if (whole_word_changed || d > best_distance || (d == best_distance && !best.empty())) {
            continue;
        }
        best = candidate;
        best_distance = d;
    }
    return best.empty() ? alike : best;
}

}  // namespace svc::base
