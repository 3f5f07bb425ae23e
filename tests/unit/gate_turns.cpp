// Who of many runs what is dear: two at a time, one of a party.
#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <vector>

#include "gates/turn.hpp"

namespace svc::gates {
namespace {

TEST(GateTurns, OnePartyTakesOnePlaceAndQueuesNoMoreThanItMay) {
    std::optional<Turn> first(std::in_place, "ann");
    std::promise<void> crowded;
    std::vector<std::future<void>> others;
    // One of the five is too many.
    for (int i = 0; i < 5; ++i)
        others.push_back(std::async(std::launch::async, [&] {
            try {
                const Turn turn("ann");
            } catch (const Crowded&) {
                crowded.set_value();
            }
        }));
    crowded.get_future().get();
    { const Turn bob("bob"); }
    { const Turn service(""); }
    first.reset();
    for (auto& one : others) one.get();
}

TEST(GateTurns, TheServiceTakesBothPlaces) { const Turn one(""), two(""); }

}  // namespace
}  // namespace svc::gates
