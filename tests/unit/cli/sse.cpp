#include "cli/app/sse.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace svc::cli {
namespace {

std::vector<std::string> events_of(const std::string& stream, std::size_t piece) {
    std::vector<std::string> seen;
    EventReader reader(
        [&seen](const Event& event) { seen.push_back(event.name + "|" + event.data); });
    for (std::size_t at = 0; at < stream.size(); at += piece) reader.feed(stream.substr(at, piece));
    return seen;
}

TEST(CliSse, ReadsTheSameEventsWhateverThePieces) {
    const std::string stream =
        ": a comment\r\n\r\nevent: stage\r\ndata: {\"a\":1}\r\n\r\nid: 7\ndata:one\ndata: two\n\n";
    const std::vector<std::string> expected = {"stage|{\"a\":1}", "message|one\ntwo"};
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        EXPECT_EQ(events_of(stream, piece), expected) << "pieces of " << piece;
    }
}

TEST(CliSse, KnowsTheIdOfTheLastWholeEvent) {
    EventReader reader([](const Event&) {});
    reader.feed("event: entry\nid: one\ndata: {}\n\n");
    EXPECT_EQ(reader.last_id(), "one");
    reader.feed(": \nid: two\n");
    EXPECT_EQ(reader.last_id(), "one") << "the event is not over yet";
    reader.feed("\ndata: {}\n\n");
    EXPECT_EQ(reader.last_id(), "two") << "an event without an id keeps the last one";
}

TEST(CliSse, DropsWhatTheStreamLeavesUnfinished) {
    EXPECT_TRUE(events_of("event: done\ndata: {}\n", 4).empty());
    EXPECT_TRUE(events_of("event: ping\n\n", 4).empty());
}

}  // namespace
}  // namespace svc::cli
