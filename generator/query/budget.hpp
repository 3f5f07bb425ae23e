// The time that PostgreSQL may think about what a contract says, all of it together.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

namespace svc::query {

inline constexpr std::chrono::milliseconds kUsualBudget{20'000};

// There is no time left.
struct TooSlow : std::runtime_error {
    TooSlow() : std::runtime_error("The check took too long.") {}
};

class Budget {
  public:
    using Clock = std::chrono::steady_clock;

    struct Item {
        std::string path;  // in the contract
        std::string what;  // "The pattern ^a+$"
        std::chrono::milliseconds took{0};
    };

    explicit Budget(std::chrono::milliseconds all) : all_(all), end_(Clock::now() + all) {}

    // Names the item that is tried from now on.
    void begin(std::string path, std::string what) {
        note_time();
        now_ = {std::move(path), std::move(what)};
        began_ = Clock::now();
    }
    // Gives at least 1; throws TooSlow if nothing is left.
    std::chrono::milliseconds left() const {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
        if (left.count() < 1) throw TooSlow();
        return left;
    }
    std::chrono::milliseconds all() const { return all_; }
    // The slowest item so far, including the present one.
    const Item& slowest() {
        note_time();
        return slowest_;
    }

  private:
    void note_time() {
        now_.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
        if (slowest_.what.empty() || now_.took > slowest_.took) slowest_ = now_;
    }

    const std::chrono::milliseconds all_;
    const Clock::time_point end_;
    Clock::time_point began_ = Clock::now();
    Item now_, slowest_;
};

}  // namespace svc::query
