// Which changes a filter lets through, and how many filters are asked at once.
#include "unit/feed/judge_fixture.hpp"

namespace svc::feed {
namespace {

TEST_F(FeedJudgeTest, a_filter_lets_rows_in_and_out) {
    auto filter = std::make_shared<Filter>();
    filter->text.bind({}, Type::json);
    filter->text.sql = "\"title\" = " + filter->text.bind("b", Type::text);
    filter->key = "title b";
    const Caller caller = data::caller("clerk", principal::kSignedIn, kAnn);
    const ReaderPtr some = reads(caller, {}, filter), all = reads(caller);
    EXPECT_NE(some->id, all->id);
    const Events events = judged({change(row(kAnn, "a", "1"), row(kAnn, "b", "1")),
                                  change(row(kAnn, "b", "1"), row(kAnn, "c", "1")),
                                  change(row(kAnn, "c", "1"), row(kAnn, "d", "1"))});
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0]->seen_by(some->id), Seen::created);
    EXPECT_EQ(events[1]->seen_by(some->id), Seen::deleted);
    EXPECT_EQ(events[2]->seen_by(some->id), Seen::nothing);
    for (const EventPtr& event : events) EXPECT_EQ(event->seen_by(all->id), Seen::updated);
}

// Each with values of its own, and more of them than one statement has.
TEST_F(FeedJudgeTest, many_filters_are_asked_together) {
    const Caller caller = data::caller("manager", principal::kSignedIn | test::kManager, kAnn);
    Readers readers;
    for (int cost = 0; cost < 70; ++cost) {
        auto filter = std::make_shared<Filter>();
        filter->text.bind({}, Type::json);
        const std::string low = filter->text.bind(std::to_string(cost), Type::text);
        const std::string title = filter->text.bind("b", Type::text);
        filter->text.sql =
            "\"cost\" >= " + low + "::numeric or \"title\" = " + title + " and \"cost\" is null";
        filter->key = "from " + std::to_string(cost);
        readers.push_back(reads(caller, {}, std::move(filter)));
    }
    const Events events = judged({change(row(kAnn, "a", "0"), row(kAnn, "a", "40"))});
    ASSERT_EQ(events.size(), 1U);
    for (std::size_t cost = 0; cost < readers.size(); ++cost)
        EXPECT_EQ(events[0]->seen_by(readers[cost]->id), cost == 0    ? Seen::updated
                                                         : cost <= 40 ? Seen::created
                                                                      : Seen::nothing)
            << cost;
}

// As many as one statement has would have more values than PostgreSQL takes, so each is asked
// alone; and no two have the same text, so a connection does not keep all of these statements.
TEST_F(FeedJudgeTest, filters_with_many_values_are_asked_apart) {
    const Caller caller = data::caller("clerk", principal::kSignedIn, kAnn);
    Readers readers;
    for (std::size_t title = 0; title < db::kDynamicStatements + 10; ++title) {
        auto filter = std::make_shared<Filter>();
        filter->text.bind({}, Type::json);
        std::string list;
        for (std::size_t i = 0; i < 2100 + title; ++i)
            list +=
                (list.empty() ? "" : ", ") + filter->text.bind(std::to_string(title), Type::text);
        filter->text.sql = "\"title\" in (" + list + ')';
        filter->key = "title " + std::to_string(title);
        readers.push_back(reads(caller, {}, std::move(filter)));
    }
    const Events events = judged({change(row(kAnn, "a", "1"), row(kAnn, "7", "1"))});
    ASSERT_EQ(events.size(), 1U);
    for (std::size_t title = 0; title < readers.size(); ++title)
        EXPECT_EQ(events[0]->seen_by(readers[title]->id),
                  title == 7 ? Seen::created : Seen::nothing)
            << title;
}

}  // namespace
}  // namespace svc::feed
