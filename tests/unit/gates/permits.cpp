// Who of many runs what is dear: two at a time, one of a party.
#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <vector>

#include "gates/permit.hpp"

namespace svc::gates {
namespace {

TEST(GatePermits, OnePartyTakesOnePlaceAndQueuesNoMoreThanItMay) {
    std::optional<Permit> first(std::in_place, "ann");
    std::promise<void> crowded;
    std::vector<std::future<void>> others;
    // One of the five is too many.
    for (int i = 0; i < 5; ++i)
        others.push_back(std::async(std::launch::async, [&] {
            try {
                const Permit permit("ann");
            } catch (const QueueFull&) {
                crowded.set_value();
            }
        }));
    crowded.get_future().get();
    { const Permit bob("bob"); }
    { const Permit service(""); }
    first.reset();
    for (auto& one : others) one.get();
}

TEST(GatePermits, TheServiceTakesBothPlaces) { const Permit one(""), two(""); }

}  // namespace
}  // namespace svc::gates
