#include "feed/hub/ring.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

EventPtr message_of(std::size_t bytes) {
    auto event = std::make_shared<Event>();
    event->topic = "app:news";
    event->payload = std::string(bytes, '1');
    event->since = event->next = make_cursor("1:1:");
    return event;
}

TEST(FeedRing, keeps_what_fits_and_says_what_it_has) {
    Ring ring(4000);
    for (std::size_t i = 0; i < 10; ++i) ring.push(message_of(1000));
    EXPECT_EQ(ring.end(), 10U);
    EXPECT_GT(ring.begin(), 5U);
    EXPECT_LT(ring.begin(), 10U);
    EXPECT_LE(ring.bytes(), 4000U);
    EXPECT_EQ(ring.at(ring.end() - 1)->payload.size(), 1000U);
}

TEST(FeedRing, one_that_is_too_large_passes_through) {
    Ring ring(100);
    ring.push(message_of(1000));
    EXPECT_EQ(ring.begin(), 1U);
    EXPECT_EQ(ring.end(), 1U);
    EXPECT_EQ(ring.bytes(), 0U);
}

TEST(FeedRing, what_it_forgets_is_behind_everybody) {
    Ring ring(4000);
    for (std::size_t i = 0; i < 3; ++i) ring.push(message_of(10));
    const std::uint64_t end = ring.end();
    ring.forget();
    EXPECT_LT(end, ring.begin());
    EXPECT_EQ(ring.begin(), ring.end());
    EXPECT_EQ(ring.bytes(), 0U);
    ring.push(message_of(10));
    EXPECT_EQ(ring.at(ring.end() - 1)->payload.size(), 10U);
}

std::string frame_of(const Event& event, Seen seen, std::string_view mask, bool with_topic) {
    std::string out;
    append_head(out, event, seen, with_topic);
    out += body_of(event, seen, mask);
    append_tail(out, event, with_topic, "~m");
    return out;
}

TEST(FeedEvent, is_seen_by_its_readers_alone) {
    Event event;
    event.seen = {{2, Seen::created}, {5, Seen::deleted}};
    EXPECT_EQ(event.seen_by(2), Seen::created);
    EXPECT_EQ(event.seen_by(5), Seen::deleted);
    for (const ReaderId other : {1U, 3U, 6U}) EXPECT_EQ(event.seen_by(other), Seen::nothing);
}

TEST(FeedEvent, is_told_in_frames) {
    Event event;
    event.topic = "row-changed:note";
    event.table = "note";
    event.id = "7";
    event.rows = {{"10", R"({"id":"7"})"}, {"11", R"({"id":"7","text":"t"})"}};
    event.sealed = "S";
    EXPECT_EQ(frame_of(event, Seen::updated, "11", false),
              "event: message\ndata: {\"event\":\"updated\",\"table\":\"note\",\"id\":\"7\","
              "\"row\":{\"id\":\"7\",\"text\":\"t\"}}\nid: S~m\n\n");
    EXPECT_EQ(frame_of(event, Seen::deleted, "10", true),
              "event: message\ndata: {\"topic\":\"row-changed:note\",\"payload\":{\"event\":"
              "\"deleted\",\"table\":\"note\",\"id\":\"7\"}}\nid: S~m\n\n");
    std::string out;
    append_ping(out, "S", "~m");
    append_reset(out, Reset::restored, "S", "~m");
    EXPECT_EQ(out,
              "event: ping\ndata:\nid: S~m\n\n"
              "event: reset\ndata: {\"reason\":\"restored\"}\nid: S~m\n\n");
}

}  // namespace
}  // namespace svc::feed
