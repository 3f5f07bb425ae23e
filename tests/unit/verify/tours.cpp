// In which order pages are opened in a browser, and which are not.
#include "verify/page/tours.hpp"

#include <gtest/gtest.h>

#include <future>

namespace svc::devapi::verification {
namespace {

// Visitor and route of each: "ann /a".
std::vector<Inspection> pages(std::initializer_list<std::pair<const char*, const char*>> all) {
    std::vector<Inspection> out;
    for (const auto& [session, route] : all) {
        out.emplace_back();
        out.back().session = session;
        out.back().route = route;
    }
    return out;
}

std::string words(const Tours::Tour& tour) {
    std::string out = tour.empty() ? "" : tour[0]->session;
    for (const Inspection* one : tour) out += " " + one->route;
    return out;
}

// As the browser does that had time for all of them.
void open(const Tours::Tour& tour) {
    for (Inspection* one : tour) one->answer = nlohmann::ordered_json::object();
}

TEST(Tours, OpenEachPageOnceBeforeAnyAgain) {
    auto all = pages({{"ann", "/a"}, {"ann", "/a"}, {"ann", "/b"}, {"ben", "/a"}, {"ben", "/c"}});
    Tours tours(all);
    for (const char* expected : {"ann /a /b", "ben /c", "ann /a", "ben /a", ""}) {
        const auto tour = tours.next();
        EXPECT_EQ(words(tour), expected);
        open(tour);
        tours.end(tour);
    }
    EXPECT_EQ(tours.done(), all.size());
}

TEST(Tours, OpenOnceMoreWhatTheTimeOfATourDidNotSufficeFor) {
    auto all = pages({{"ann", "/a"}, {"ann", "/b"}, {"ben", "/b"}, {"ann", "/c"}});
    Tours tours(all);
    auto tour = tours.next();
    EXPECT_EQ(words(tour), "ann /a /b /c");
    open({tour[0]});
    tour[1]->trouble = "It cannot be shown.";
    tours.end(tour);
    EXPECT_EQ(tours.done(), 2U);
    EXPECT_EQ(words(tours.next()), "ann /c");
    EXPECT_EQ(words(tours.next()), "ben /b");
    EXPECT_EQ(words(tours.next()), "");
}

TEST(Tours, OpenAPageThatWasOpenedAsSeveralAtATime) {
    auto all = pages({{"ann", "/a"}, {"ben", "/a"}, {"cid", "/a"}});
    Tours tours(all);
    const auto first = tours.next();
    open(first);
    tours.end(first);
    EXPECT_EQ(words(tours.next()), "ben /a");
    EXPECT_EQ(words(tours.next()), "cid /a");
}

TEST(Tours, AreOfOneVisitorAndNotTooLong) {
    std::vector<Inspection> all(20);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].route = "/" + std::to_string(i);
    all[1].session = "ben";
    Tours tours(all);
    EXPECT_EQ(words(tours.next()), " /0 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16");
    EXPECT_EQ(words(tours.next()), "ben /1");
    EXPECT_EQ(words(tours.next()), " /17 /18 /19");
    EXPECT_EQ(words(tours.next()), "");
}

TEST(Tours, LeaveOutAPageThatWasLate) {
    auto all = pages({{"ann", "/late"}, {"ben", "/late"}, {"ben", "/a"}, {"cid", "/late"}});
    Tours tours(all);
    const auto first = tours.next();
    EXPECT_EQ(words(first), "ann /late");
    EXPECT_EQ(words(tours.next()), "ben /a");
    // It may be late for ben and cid too, so they wait for ann.
    auto next = std::async(std::launch::async, [&] { return words(tours.next()); });
    first[0]->answer = {{"late", true}};
    tours.end(first);
    EXPECT_EQ(next.get(), "");
    EXPECT_EQ(tours.done(), 3U);
}

TEST(Tours, OpenAgainWhatWasOnlyOpenedElsewhere) {
    auto all = pages({{"ann", "/a"}, {"ben", "/a"}});
    Tours tours(all);
    const auto first = tours.next();
    auto next = std::async(std::launch::async, [&] { return words(tours.next()); });
    open(first);
    tours.end(first);
    EXPECT_EQ(next.get(), "ben /a");
}

}  // namespace
}  // namespace svc::devapi::verification
