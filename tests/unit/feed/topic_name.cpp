// Names of topics, and which declared one they are.
#include "feed/topic/topic_name.hpp"

#include <gtest/gtest.h>

namespace svc::feed {
namespace {

constexpr std::string_view kNews[] = {"news"};
constexpr std::string_view kOrder[] = {"app:order:", ""};
constexpr std::string_view kNewOrder[] = {"app:order:new"};
constexpr std::string_view kRoom[] = {"app:", ":room-", ".v1"};

bool own(const Record& parts, const Viewer& viewer) { return parts.text(0) == viewer.id; }
bool nobody(const Record&, const Viewer&) { return false; }

constexpr Topic kTopics[] = {
    {.name = "app:order:{id}", .pieces = kOrder, .may_publish = nobody, .may_subscribe = own},
    {.name = "app:order:new", .pieces = kNewOrder},
    {.name = "news", .pieces = kNews, .may_publish = nobody},
    {.name = "app:{house}:room-{room}.v1", .pieces = kRoom},
};

std::string found(std::string_view name) {
    const DeclaredTopic topic = find_topic(kTopics, name);
    std::string out(topic.topic ? topic.topic->name : "none");
    for (const Text& part : topic.parts) out += " " + std::string(*part);
    return out;
}

TEST(TopicName, HasLettersDigitsAndFewOtherCharacters) {
    for (const char* good : {"news", "app:order:7", "A.b-c_d", ":", "row-changed:order"})
        EXPECT_TRUE(is_topic(good)) << good;
    for (const char* bad : {"", "a b", "a/b", "caf\xc3\xa9", "a{b}", "a\n"})
        EXPECT_FALSE(is_topic(bad)) << bad;
    EXPECT_TRUE(is_topic(std::string(kMaxTopic, 'a')));
    EXPECT_FALSE(is_topic(std::string(kMaxTopic + 1, 'a')));
}

TEST(TopicName, IsOfAKindByWhatStandsBeforeItsColon) {
    EXPECT_EQ(kind_of("news"), TopicKind::open);
    EXPECT_EQ(kind_of("row-changed"), TopicKind::open);
    EXPECT_EQ(kind_of("app:"), TopicKind::open);
    EXPECT_EQ(kind_of("app:a:b"), TopicKind::open);
    EXPECT_EQ(kind_of("row-changed:order"), TopicKind::row_changed);
    EXPECT_EQ(table_of("row-changed:order"), "order");
    EXPECT_EQ(kind_of("apps:a"), TopicKind::foreign);
    EXPECT_EQ(kind_of(":a"), TopicKind::foreign);
}

TEST(TopicName, IsFoundAmongThoseThatAreDeclared) {
    EXPECT_EQ(found("news"), "news");
    EXPECT_EQ(found("new"), "none");
    EXPECT_EQ(found("news2"), "none");
    EXPECT_EQ(found("app:order:7"), "app:order:{id} 7");
    EXPECT_EQ(found("app:order:0198-b6a0"), "app:order:{id} 0198-b6a0");
    EXPECT_EQ(found("app:order:new"), "app:order:new");
    EXPECT_EQ(found("app:order:"), "none");
    EXPECT_EQ(found("app:order:7:8"), "none");
    EXPECT_EQ(found("app:a:room-1.v1"), "app:{house}:room-{room}.v1 a 1");
    EXPECT_EQ(found("app:a:room-room-.v1.v1"), "app:{house}:room-{room}.v1 a room-.v1");
    EXPECT_EQ(found("app:a:room-.v1"), "none");
    EXPECT_EQ(found("app::room-1.v1"), "none");
}

TEST(TopicName, RulesAreThoseOfTheDeclaration) {
    Viewer ann;
    ann.id = "0198b6a0";
    EXPECT_TRUE(may_subscribe(find_topic(kTopics, "app:order:0198b6a0"), ann));
    EXPECT_FALSE(may_subscribe(find_topic(kTopics, "app:order:0198b6a1"), ann));
    EXPECT_FALSE(may_subscribe(find_topic(kTopics, "app:order:0198b6a0"), Viewer{}));
    EXPECT_FALSE(may_publish(find_topic(kTopics, "app:order:0198b6a0"), ann));
    EXPECT_TRUE(may_subscribe(find_topic(kTopics, "news"), Viewer{}));
    EXPECT_FALSE(may_publish(find_topic(kTopics, "news"), ann));
    EXPECT_TRUE(may_publish(find_topic(kTopics, "free"), Viewer{}));
}

}  // namespace
}  // namespace svc::feed
