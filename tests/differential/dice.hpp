// Chance that is the same everywhere for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace svc::differential {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t count) { return engine_() % count; }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <class T>
    const T& one(const std::vector<T>& of) {
        return of[below(of.size())];
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace svc::differential
