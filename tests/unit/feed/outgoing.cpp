#include "feed/stream/outgoing.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

using Sent = Outgoing::Sent;

// A client that takes so many bytes and no more.
struct Client {
    std::size_t room = 0;
    std::string got = {};
    bool there = true;

    std::optional<std::size_t> write_some(std::string_view first, std::string_view second) {
        if (!there) return std::nullopt;
        const std::string all = std::string(first).append(second).substr(0, room);
        got += all;
        room -= all.size();
        return all.size();
    }
};

Place place(std::uint64_t position) { return {position, make_cursor(std::to_string(position))}; }

EventPtr message(std::string payload) {
    auto event = std::make_shared<Event>();
    event->payload = std::move(payload);
    return event;
}

// Three frames, the second with a body of an event.
void fill(Outgoing& out, const EventPtr& event) {
    out.mark(place(0));
    out.text += "first|";
    out.mark(place(1));
    out.text += "<";
    out.add_body(event, event->payload);
    out.text += ">|";
    out.mark(place(2));
    out.text += "third|";
    out.mark(place(3));
}

TEST(FeedOutgoing, sends_bodies_where_they_stand) {
    const std::string all = "first|<0123456789>|third|";
    for (std::size_t room = 1; room <= all.size(); ++room) {
        Outgoing out;
        fill(out, message("0123456789"));
        Client client;
        Sent sent = Sent::part;
        while (sent == Sent::part && client.got.size() < all.size()) {
            client.room = room;
            sent = out.send(client);
        }
        EXPECT_EQ(sent, Sent::all);
        EXPECT_EQ(client.got, all);
        EXPECT_TRUE(out.empty());
        EXPECT_FALSE(out.has_body());
    }
}

// What is taken back comes again from its place: nothing is lost, and nothing comes twice.
TEST(FeedOutgoing, keeps_only_the_rest_of_a_frame) {
    const std::string frames[] = {"first|", "<0123456789>|", "third|"};
    const std::string all = frames[0] + frames[1] + frames[2];
    for (std::size_t room = 0; room < all.size(); ++room) {
        Outgoing out;
        fill(out, message("0123456789"));
        Client client{room};
        ASSERT_EQ(out.send(client), Sent::part);
        const std::optional<Place> at = out.take_back();
        ASSERT_TRUE(at);
        EXPECT_LE(out.size(), frames[1].size());
        client.room = 1000;
        EXPECT_EQ(out.send(client), Sent::all);
        std::string then = client.got;
        for (std::size_t next = at->position; next < 3; ++next) then += frames[next];
        EXPECT_EQ(then, all) << room;
        EXPECT_EQ(*at->since, std::to_string(at->position));
    }
}

TEST(FeedOutgoing, what_belongs_to_no_event_stays) {
    Outgoing out;
    out.text = "retry: 1000\n\n";
    Client client{5};
    EXPECT_EQ(out.send(client), Sent::part);
    EXPECT_FALSE(out.take_back());
    client.room = 100;
    EXPECT_EQ(out.send(client), Sent::all);
    EXPECT_EQ(client.got, "retry: 1000\n\n");
}

TEST(FeedOutgoing, who_takes_nothing_holds_no_body_and_no_room) {
    const EventPtr event = message(std::string(100000, 'x'));
    Outgoing out;
    out.text.reserve(100000);
    fill(out, event);
    Client client;
    EXPECT_EQ(out.send(client), Sent::part);
    EXPECT_EQ(out.take_back()->position, 0U);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(event.use_count(), 1);
    EXPECT_LT(out.text.capacity(), 100U);
}

TEST(FeedOutgoing, who_has_taken_all_holds_no_room) {
    Outgoing out;
    out.text = std::string(100000, 'x');
    Client client{100000};
    EXPECT_EQ(out.send(client), Sent::all);
    EXPECT_LT(out.text.capacity(), 100U);
}

TEST(FeedOutgoing, says_that_a_connection_is_broken) {
    Outgoing out;
    out.text = "x";
    Client client{.there = false};
    EXPECT_EQ(out.send(client), Sent::broken);
}

}  // namespace
}  // namespace svc::feed
