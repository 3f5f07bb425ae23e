// A view of a constant array, like std::span, without the constraints that the compiler would check
// for each length of array in generated code.
#pragma once

#include <cstdint>
#include <vector>

namespace svc {

template <class T>
class List {
  public:
    constexpr List() = default;
    template <std::size_t count>
    constexpr List(const T (&items)[count]) : items_(items), size_(count) {}
    constexpr List(const T* items, std::size_t size) : items_(items), size_(size) {}
    List(const std::vector<T>& items) : items_(items.data()), size_(items.size()) {}

    constexpr const T* begin() const { return items_; }
    constexpr const T* end() const { return items_ + size_; }
    constexpr const T* data() const { return items_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr const T& operator[](std::size_t index) const { return items_[index]; }
    constexpr const T& front() const { return items_[0]; }
    constexpr const T& back() const { return items_[size_ - 1]; }

  private:
    const T* items_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace svc
