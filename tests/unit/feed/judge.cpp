// Who receives which part of a change: by the compiled predicate, the database, masks and filters.
#include "unit/feed/judge_fixture.hpp"

namespace svc::feed {
namespace {

TEST_F(FeedJudgeTest, each_sees_what_was_theirs_and_what_is) {
    const ReaderPtr ann = reads(data::caller("clerk", principal::kSignedIn, kAnn));
    const ReaderPtr bob = reads(data::caller("clerk", principal::kSignedIn, kBob));
    const ReaderPtr guest = reads(data::kGuest);
    const std::string of_ann = row(kAnn, "t", "1"), of_bob = row(kBob, "t", "1");
    const Events events = judged({change("", of_ann), change(of_ann, of_bob),
                                  change(of_bob, row(kBob, "u", "1")), change(of_bob, "")});
    ASSERT_EQ(events.size(), 4U);
    const auto seen = [&](const ReaderPtr& who) {
        std::vector<Seen> out;
        for (const EventPtr& event : events) out.push_back(event->seen_by(who->id));
        return out;
    };
    using enum Seen;
    EXPECT_EQ(seen(ann), (std::vector{created, deleted, nothing, nothing}));
    EXPECT_EQ(seen(bob), (std::vector{nothing, created, updated, deleted}));
    EXPECT_EQ(seen(guest), (std::vector{nothing, nothing, nothing, nothing}));
    EXPECT_EQ(*events[0]->since, "1:1:");
    EXPECT_EQ(events[1]->since, events[0]->next);
}

TEST_F(FeedJudgeTest, rows_are_printed_as_lists_print_them_without_what_is_masked) {
    const ReaderPtr clerk = reads(data::caller("clerk", principal::kSignedIn, kAnn));
    const ReaderPtr manager =
        reads(data::caller("manager", principal::kSignedIn | test::kManager, kAnn));
    const Events events = judged(
        {change("", row(kAnn, "t", "1.50")), change(row(kAnn, "t", "1"), row(kAnn, "t", "2"))});
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0]->row_for(clerk->mask.key),
              R"({"id":"00000000-0000-7000-8000-000000000001","user_id":")" + std::string(kAnn) +
                  R"(","title":"t","price":null,"day":null,"seen_at":"2026-01-02T01:04:05Z",)"
                  R"("tags":["a b"],"extra":null,"active":null,"status":"open"})");
    EXPECT_NE(events[0]->row_for(manager->mask.key).find(R"("cost":1.50)"), std::string::npos);
    EXPECT_EQ(events[1]->seen_by(clerk->id), Seen::nothing) << "nothing that they see has changed";
    EXPECT_EQ(events[1]->seen_by(manager->id), Seen::updated);
}

TEST_F(FeedJudgeTest, what_the_predicate_cannot_tell_is_asked_for_all_callers_at_once) {
    const ReaderPtr north = reads(data::caller("clerk", principal::kSignedIn, kBob), "north");
    const ReaderPtr south = reads(data::caller("clerk", principal::kSignedIn, kBob), "south");
    const Events events =
        judged({change("", row(kAnn, "north", "1", "shared")),
                change(row(kAnn, "north", "1", "shared"), row(kAnn, "south", "1", "shared"))});
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0]->seen_by(north->id), Seen::created);
    EXPECT_EQ(events[0]->seen_by(south->id), Seen::nothing);
    EXPECT_EQ(events[1]->seen_by(north->id), Seen::deleted);
    EXPECT_EQ(events[1]->seen_by(south->id), Seen::created);
}

TEST_F(FeedJudgeTest, where_nobody_can_tell_all_readers_read_anew) {
    database->sql("drop function svc.item_readers");
    const ReaderPtr ann = reads(data::caller("clerk", principal::kSignedIn, kAnn));
    const ReaderPtr bob = reads(data::caller("clerk", principal::kSignedIn, kBob));
    const Events events = judged({change("", row(kAnn, "t", "1", "shared"))});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0]->seen_by(ann->id), Seen::reset);
    EXPECT_EQ(events[0]->seen_by(bob->id), Seen::reset);
    const Events old = judged({change("", R"({"id":"no uuid"})")});
    ASSERT_EQ(old.size(), 1U);
    EXPECT_EQ(old[0]->seen_by(ann->id), Seen::reset);
}

TEST_F(FeedJudgeTest, a_row_that_decides_for_others_moves_their_readers) {
    Entity below = test::kItem;
    const Look looks[] = {{&item, 1}};
    below.name = "below";
    below.looks = looks;
    const Entity* both[] = {&item, &below};
    app.entities = {both, 2};
    const Caller caller = data::caller("clerk", principal::kSignedIn, kAnn);
    const ReaderPtr reader = audience.enter(below, caller, nullptr);
    const Events same = judged({change(row(kAnn, "t", "1"), row(kAnn, "u", "1"))});
    EXPECT_TRUE(same.empty());
    const Events made = judged({change("", row(kAnn, "t", "1"))});
    EXPECT_TRUE(made.empty()) << "nothing could hang on it before";
    const Events moved = judged({change(row(kAnn, "t", "1"), row(kBob, "t", "1"))});
    ASSERT_EQ(moved.size(), 1U);
    EXPECT_EQ(moved[0]->topic, "row-changed:below");
    EXPECT_EQ(moved[0]->seen_by(reader->id), Seen::reset);
}

// Rows of `below` are read by whoever reads their item, which they name in place of an owner. The
// database knows no item any more.
class FeedJudgeBelowTest : public FeedJudgeTest {
  protected:
    void SetUp() override {
        FeedJudgeTest::SetUp();
        if (IsSkipped()) return;
        database->sql("create table public.below (like public.item)");
        database->sql(
            "create function svc.below_readers(r public.below, callers svc.caller[]) returns setof "
            "integer language sql stable as $$ select 0 where false $$");
        database->sql("grant execute on all functions in schema svc to " + role);
        below.name = "below";
        below.access.read = principal::kSignedIn;
        below.looks = looks;
        app.entities = {both, 2};
        ann = enter(kAnn);
        bob = enter(kBob);
    }

    ReaderPtr enter(const char* who, std::shared_ptr<Filter> filter = {}) {
        return audience.enter(below, data::caller("clerk", principal::kSignedIn, who),
                              std::move(filter));
    }
    static PageRecord of_below(std::string before, std::string after) {
        PageRecord out = change(std::move(before), std::move(after));
        out.table = "below";
        return out;
    }
    void delete_item_meanwhile() const {
        database->sql(
            "insert into svc.change_" + database->sql("select slot from svc.change_slot") +
            " (table_name, event, row_id, old) values ('item', 'deleted', '" + kItem + "', '{}')");
    }

    static constexpr const char* kItem = "00000000-0000-7000-8000-000000000001";
    const Look looks[1] = {{&item, 1}};
    Entity below = test::kItem;
    const Entity* both[2] = {&item, &below};
    ReaderPtr ann, bob;
    const std::string above = row(kAnn, "t", "1");
    const PageRecord gone = of_below(row(kItem, "t", "1"), "");
};

TEST_F(FeedJudgeBelowTest, rows_that_are_deleted_with_the_row_above_are_deleted_for_who_saw_it) {
    for (const bool first : {true, false}) {
        std::vector<PageRecord> page = {change(above, ""), gone};
        if (first) std::swap(page[0], page[1]);
        const Events events = judged(page);
        ASSERT_EQ(events.size(), 1U);
        EXPECT_EQ(events[0]->table, "below");
        EXPECT_EQ(events[0]->seen_by(ann->id), Seen::deleted);
        EXPECT_EQ(events[0]->seen_by(bob->id), Seen::nothing);
    }
    const PageRecord made = of_below("", row(kItem, "t", "1"));
    const Events both = judged({made, change(above, ""), gone});
    ASSERT_EQ(both.size(), 1U) << "what was in the row is for nobody any more";
    EXPECT_EQ(both[0]->seen_by(ann->id), Seen::deleted) << "a list may have shown it meanwhile";
    EXPECT_EQ(both[0]->seen_by(bob->id), Seen::nothing);
    // The page ends before what else was deleted.
    const Events part = judged({change(above, "")}, "1:1:/9:9:/7");
    ASSERT_EQ(part.size(), 1U);
    EXPECT_EQ(part[0]->seen_by(ann->id), Seen::reset);
    EXPECT_EQ(part[0]->seen_by(bob->id), Seen::nothing);
}

// When it is deleted, the filter does not let it in any more.
TEST_F(FeedJudgeBelowTest, a_row_that_leaves_a_filter_before_it_is_deleted_is_deleted_once) {
    auto filter = std::make_shared<Filter>();
    filter->text.bind({}, Type::json);
    filter->text.sql = "\"title\" = " + filter->text.bind("t", Type::text);
    filter->key = "title t";
    const ReaderPtr some = enter(kAnn, filter);
    const PageRecord changed = of_below(row(kItem, "t", "1"), row(kItem, "u", "1"));
    const PageRecord last = of_below(row(kItem, "u", "1"), "");
    const Events events = judged({changed, change(above, ""), last});
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0]->seen_by(some->id), Seen::deleted);
    EXPECT_EQ(events[1]->seen_by(some->id), Seen::nothing);
    EXPECT_EQ(events[0]->seen_by(ann->id), Seen::nothing) << "what is in it is for nobody any more";
    EXPECT_EQ(events[1]->seen_by(ann->id), Seen::deleted);
    for (const EventPtr& event : events) EXPECT_EQ(event->seen_by(bob->id), Seen::nothing);
}

TEST_F(FeedJudgeBelowTest, if_the_row_above_is_deleted_after_the_page_its_readers_read_anew) {
    const PageRecord away =
        of_below(row(kItem, "t", "1"), row("00000000-0000-7000-8000-000000000002", "t", "1"));
    EXPECT_TRUE(judged({gone}).empty()) << "the database says that nobody can read it";
    delete_item_meanwhile();
    for (const PageRecord& record : {gone, away}) {
        const Events events = judged({record});
        ASSERT_EQ(events.size(), 1U);
        EXPECT_EQ(events[0]->seen_by(ann->id), Seen::reset);
    }
    const PageRecord changed = of_below(row(kItem, "t", "1"), row(kItem, "u", "1"));
    EXPECT_TRUE(judged({changed}).empty()) << "it is deleted on a later page";
    const std::string now = database->sql("select pg_current_snapshot()");
    EXPECT_TRUE(judged({gone}, now).empty()) << "deleted on an earlier page";
}

TEST_F(FeedJudgeTest, a_row_that_a_policy_looks_at_concerns_those_whom_it_names) {
    Entity board = test::kItem;
    enum : unsigned { kOwner = 1, kTitle = 2 };
    const Look by_owner[] = {{.target = &item,
                              .made = true,
                              .who = principal::kSignedIn,
                              .columns = {kOwner, kTitle},
                              .key = kOwner}};
    board.name = "board";
    board.looks = by_owner;
    const Entity* both[] = {&item, &board};
    app.entities = {both, 2};
    const auto enter = [&](const char* who) {
        return audience.enter(board, data::caller("clerk", principal::kSignedIn, who), nullptr);
    };
    const ReaderPtr ann = enter(kAnn), bob = enter(kBob);
    const ReaderPtr guest = audience.enter(board, data::kGuest, nullptr);
    // Who gets a reset, in the order of the events.
    const auto resets = [&](const Events& events) {
        std::string out;
        for (const EventPtr& event : events)
            for (const auto& [reader, name] :
                 {std::pair{ann, "ann "}, std::pair{bob, "bob "}, std::pair{guest, "guest "}})
                if (event->seen_by(reader->id) == Seen::reset) out += name;
        return out;
    };
    const std::string ann_row = row(kAnn, "t", "1"), bob_row = row(kBob, "t", "1");
    EXPECT_EQ(resets(judged({change("", ann_row)})), "ann ");
    EXPECT_EQ(resets(judged({change(ann_row, bob_row)})), "ann bob ");
    EXPECT_EQ(resets(judged({change(bob_row, row(kBob, "u", "1"))})), "bob ");
    EXPECT_EQ(resets(judged({change(bob_row, "")})), "bob ");
    EXPECT_EQ(resets(judged({change(ann_row, row(kAnn, "t", "2"))})), "")
        << "nobody looks at the cost";
    EXPECT_EQ(resets(judged({change(ann_row, ""), change("", bob_row), change(ann_row, "")})),
              "bob ann ")
        << "once for each, before the last change";
    EXPECT_EQ(resets(judged({change(R"({"id":"1","title":"t"})", "")})), "ann bob ")
        << "the record is from before there were owners";
    const Look by_anything[] = {
        {.target = &item, .who = principal::kSignedIn, .columns = {kTitle}}};
    board.looks = by_anything;
    EXPECT_EQ(resets(judged({change(bob_row, row(kBob, "u", "1"))})), "ann bob ");
    EXPECT_EQ(resets(judged({change("", bob_row)})), "") << "no row can refer to it yet";
}

}  // namespace
}  // namespace svc::feed
