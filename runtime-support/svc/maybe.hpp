// A value or null, with the comparisons of expressions: a comparison with null is false, and != is
// the exact opposite of ==.
#pragma once

#include <string_view>
#include <type_traits>

namespace svc {

template <class T>
class Maybe {
  public:
    constexpr Maybe() = default;  // null
    template <class U>
    requires std::is_convertible_v<const U&, T>
    constexpr Maybe(const U& value) : value_(value), known_(true) {}
    template <class U>
    requires(std::is_convertible_v<const U&, T> &&
             !std::is_same_v<U, T>) constexpr Maybe(const Maybe<U>& other)
        : known_(other.known()) {
        if (known_) value_ = *other;
    }

    constexpr bool known() const { return known_; }
    constexpr const T& operator*() const { return value_; }  // only where known

    friend constexpr bool operator==(const Maybe& a, const Maybe& b) {
        return a.known_ && b.known_ && a.value_ == b.value_;
    }
    friend constexpr bool operator<(const Maybe& a, const Maybe& b) {
        return a.known_ && b.known_ && a.value_ < b.value_;
    }
    friend constexpr bool operator>(const Maybe& a, const Maybe& b) { return b < a; }
    friend constexpr bool operator<=(const Maybe& a, const Maybe& b) {
        return a.known_ && b.known_ && !(b.value_ < a.value_);
    }
    friend constexpr bool operator>=(const Maybe& a, const Maybe& b) { return b <= a; }

  private:
    T value_{};
    bool known_ = false;
};

using Text = Maybe<std::string_view>;

template <class T>
constexpr bool is_null(const Maybe<T>& value) {
    return !value.known();
}
constexpr bool is_true(const Maybe<bool>& value) { return value.known() && *value; }

// PostgreSQL's "is distinct from": null is a value like others.
template <class T>
constexpr bool distinct(const Maybe<T>& a, const Maybe<T>& b) {
    return a.known() != b.known() || (a.known() && !(*a == *b));
}

template <class T>
constexpr Maybe<T> coalesce(const Maybe<T>& first) {
    return first;
}
template <class T, class... Rest>
constexpr Maybe<T> coalesce(const Maybe<T>& first, const Rest&... rest) {
    return first.known() ? first : coalesce<T>(rest...);
}

// The least and the greatest of the values that are known; of equal ones the first.
template <class T, class... Rest>
constexpr Maybe<T> least(Maybe<T> best, const Rest&... rest) {
    const auto take = [&best](const Maybe<T>& next) {
        if (next.known() && (!best.known() || *next < *best)) best = next;
    };
    (take(rest), ...);
    return best;
}
template <class T, class... Rest>
constexpr Maybe<T> greatest(Maybe<T> best, const Rest&... rest) {
    const auto take = [&best](const Maybe<T>& next) {
        if (next.known() && (!best.known() || *best < *next)) best = next;
    };
    (take(rest), ...);
    return best;
}

template <class T, class... Items>
constexpr bool in(const Maybe<T>& needle, const Items&... items) {
    return ((needle == Maybe<T>(items)) || ...);
}

}  // namespace svc
