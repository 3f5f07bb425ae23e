// Small fixed sets that generated tables hold as constants: principals of an app, columns of an
// entity.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace svc {

// The principals of a caller, as bits. The first five are the same in every app; bits from
// kFirstPersona on are the app's personas in contract order, then its organisation roles. At most
// 64 in all.
using PrincipalSet = std::uint64_t;

namespace principal {
inline constexpr PrincipalSet kGuest = 1U << 0;
inline constexpr PrincipalSet kSignedIn = 1U << 1;
inline constexpr PrincipalSet kConsumer = 1U << 2;
inline constexpr PrincipalSet kStaff = 1U << 3;
inline constexpr PrincipalSet kServer = 1U << 4;
inline constexpr unsigned kFirstPersona = 5;
}  // namespace principal

inline constexpr PrincipalSet kEveryone = ~PrincipalSet{0};
inline constexpr PrincipalSet kNobody = 0;

// Columns of one entity by index; an entity has at most 256.
class ColumnSet {
  public:
    static constexpr unsigned kMax = 256;

    constexpr ColumnSet() = default;
    constexpr ColumnSet(std::initializer_list<unsigned> columns) {
        for (unsigned column : columns) add(column);
    }
    constexpr void add(unsigned column) { words_[column / 64] |= bit(column); }
    constexpr void remove(unsigned column) { words_[column / 64] &= ~bit(column); }
    constexpr bool operator[](unsigned column) const {
        return (words_[column / 64] & bit(column)) != 0;
    }
    static constexpr ColumnSet all() {
        ColumnSet set;
        for (auto& word : set.words_) word = ~std::uint64_t{0};
        return set;
    }

  private:
    static constexpr std::uint64_t bit(unsigned column) {
        return std::uint64_t{1} << (column % 64);
    }
    std::uint64_t words_[kMax / 64] = {};
};

}  // namespace svc
