// The readers of a row are found by its values, with the same result as if each were judged.
#include "feed/reader/reader_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "feed/viewer.hpp"
#include "unit/data/fixture.hpp"

namespace svc::feed {
namespace {

constexpr PrincipalSet kOther = test::kManager << 1;
enum : unsigned { kOwner = 1, kTitle = 2, kStatus = 10 };

// What the generator makes of
//   deny: [{"to": "other", "if": "title == user.email && status == 'locked'"}],
//   read: [{"to": "clerk", "if": "user_id == user.id || title == user.org"}, {"to": "manager",
//   "if": "status == 'open'"},
//          {"to": "other", "if": <of other rows>}]
ReadDecision by_keys(const svc::Record& row, const Viewer& viewer) {
    if (viewer.is(kOther) && row.text(kTitle) == viewer.email && row.text(kStatus) == "locked")
        return ReadDecision::no;
    if (viewer.is(test::kClerk) &&
        (row.text(kOwner) == viewer.id || row.text(kTitle) == viewer.org))
        return ReadDecision::yes;
    if (viewer.is(test::kManager) && row.text(kStatus) == "open") return ReadDecision::yes;
    if (viewer.is(kOther)) return ReadDecision::ask;
    return ReadDecision::no;
}
constexpr ReadKey kKeys[] = {{kOther, kTitle, ReadKey::email},
                             {test::kClerk, kOwner, ReadKey::id},
                             {test::kClerk, kTitle, ReadKey::org}};

// {"to": "manager", "if": "user_id != user.id"} beside the grant to clerks.
ReadDecision by_difference(const svc::Record& row, const Viewer& viewer) {
    if (viewer.is(test::kManager) && !(row.text(kOwner) == viewer.id)) return ReadDecision::yes;
    if (viewer.is(test::kClerk) && row.text(kOwner) == viewer.id) return ReadDecision::yes;
    return ReadDecision::no;
}
constexpr ReadKey kOwnKey[] = {{test::kClerk, kOwner, ReadKey::id}};

// Once for each call: whom the policy was asked about.
thread_local unsigned asked = 0;
ReadDecision counted(const svc::Record& row, const Viewer& viewer) {
    ++asked;
    return by_keys(row, viewer);
}

class ReaderSetTest : public ::testing::Test {
  protected:
    void read(Entity& entity, decltype(Entity::may_read) may_read) {
        entity.access.read = principal::kSignedIn;
        entity.may_read = may_read;
    }
    std::string pick(std::initializer_list<const char*> of) {
        return std::data(of)[dice() % of.size()];
    }
    Caller anybody() {
        static constexpr PrincipalSet kSets[] = {test::kClerk,
                                                 test::kManager,
                                                 kOther,
                                                 test::kClerk | kOther,
                                                 test::kClerk | test::kManager,
                                                 0};
        Caller out = data::caller("x", principal::kSignedIn | kSets[dice() % std::size(kSets)],
                                  pick({"a", "b", "c", "d"}).c_str());
        out.user->email = pick({"t", "u", ""});
        if (dice() % 2) out.org_id = pick({"t", "u", "v"});
        // Policies know them by these alone.
        out.names = std::to_string(out.principals);
        out.claims = out.org_id.value_or("") + '/' + out.user->email;
        return dice() % 20 == 0 ? data::kGuest : out;
    }
    static std::vector<Text> row_of(const std::vector<std::string>& values) {
        std::vector<Text> row(std::size(test::kItemColumns));
        const unsigned columns[] = {kOwner, kTitle, kStatus};
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!values[i].empty()) row[columns[i]] = std::string_view(values[i]);
        return row;
    }
    static std::vector<std::pair<std::string, ReadDecision>> described(
        const ReaderSet& reader_set, const ReaderDecisions& readers) {
        std::vector<std::pair<std::string, ReadDecision>> out;
        for (const ReaderDecision& reader : readers)
            out.emplace_back(reader_set.identity(reader.who).key, reader.decision);
        std::ranges::sort(out);
        return out;
    }
    // Each judged by itself.
    static ReaderDecisions one_by_one(const ReaderSet& reader_set, const Entity& entity,
                                      const svc::Record& row) {
        ReaderDecisions out;
        std::set<std::uint32_t> all;
        for (std::size_t i = 0; i < reader_set.readers().size(); ++i)
            all.insert(reader_set.view(i).who);
        for (const std::uint32_t who : all) {
            const Viewer viewer = viewer_of(reader_set.identity(who).caller);
            if (!entity.access.reads(viewer.principals)) continue;
            const ReadDecision decision = entity.may_read(row, viewer);
            if (decision != ReadDecision::no) out.push_back({who, decision});
        }
        return out;
    }
    void equals(const Entity& entity) {
        for (int round = 0; round < 40; ++round) {
            std::vector<ReaderPtr> held;
            for (int i = 0; i < 30; ++i) held.push_back(audience.enter(entity, anybody(), nullptr));
            const ReaderSet reader_set(entity, audience.of(entity), {});
            for (int i = 0; i < 60; ++i) {
                const std::vector<std::string> values = {pick({"a", "b", "z", ""}),
                                                         pick({"t", "u", "w", ""}),
                                                         pick({"open", "locked", ""})};
                const std::vector<Text> columns = row_of(values);
                const svc::Record row{List<Text>(columns)};
                ASSERT_EQ(described(reader_set, reader_set.judge(row, {}, {})),
                          described(reader_set, one_by_one(reader_set, entity, row)))
                    << values[0] << ' ' << values[1] << ' ' << values[2];
            }
        }
    }

    std::mt19937 dice{7};
    Entity entity = test::kItem;
    Audience audience;
};

TEST_F(ReaderSetTest, by_keys_the_same_are_found) {
    read(entity, by_keys);
    entity.read_keys = kKeys;
    entity.read_varies = kNobody;
    equals(entity);
}

TEST_F(ReaderSetTest, those_of_whom_nothing_is_said_are_asked_each) {
    read(entity, by_difference);
    entity.read_keys = kOwnKey;
    entity.read_varies = test::kManager;
    equals(entity);
    Entity unsaid = test::kItem;
    read(unsaid, by_keys);
    equals(unsaid);
}

TEST_F(ReaderSetTest, nobody_is_asked_whom_a_row_does_not_concern) {
    read(entity, counted);
    entity.read_keys = kKeys;
    entity.read_varies = kNobody;
    std::vector<ReaderPtr> held;
    for (int i = 0; i < 1000; ++i) {
        const std::string name = "user " + std::to_string(i);
        Caller one = data::caller("clerk", principal::kSignedIn | test::kClerk, name.c_str());
        held.push_back(audience.enter(entity, one, nullptr));
    }
    const ReaderSet reader_set(entity, audience.of(entity), {});
    const std::vector<std::string> values = {"user 500"};
    const std::vector<Text> columns = row_of(values);
    asked = 0;
    const ReaderDecisions readers = reader_set.judge(svc::Record{List<Text>(columns)}, {}, {});
    ASSERT_EQ(readers.size(), 1U);
    EXPECT_EQ(reader_set.identity(readers[0].who).caller.user->id, "user 500");
    EXPECT_EQ(asked, 2U) << "the group, and its owner";
}

TEST_F(ReaderSetTest, the_database_may_be_asked_where_a_policy_of_the_table_or_above_says_so) {
    entity.read_asks = kOther;
    const Look above[] = {{&entity, 1}}, beside[] = {{&entity, Look::kAnyRow}};
    Entity below = test::kItem, apart = test::kItem;
    below.read_asks = apart.read_asks = kNobody;
    below.looks = above;
    apart.looks = beside;
    const auto asked = [](const Entity& table, PrincipalSet principals) {
        Viewer viewer;
        viewer.principals = principals;
        return may_ask(table, viewer);
    };
    EXPECT_TRUE(asked(entity, kOther));
    EXPECT_TRUE(asked(below, kOther | test::kClerk));
    EXPECT_FALSE(asked(below, test::kClerk));
    EXPECT_FALSE(asked(apart, kOther));
    EXPECT_TRUE(asked(test::kItem, test::kClerk)) << "nothing is said of it";
}

TEST_F(ReaderSetTest, readers_whose_policy_reads_other_rows_are_found_by_their_values) {
    const Look looks[] = {{.target = &test::kItem, .who = test::kClerk, .key = kOwner},
                          {.target = &test::kItem, .who = kEveryone}};
    entity.looks = looks;
    const auto enter = [&](PrincipalSet principals, const char* id) {
        Caller caller = data::caller("x", principals, id);
        caller.names = std::to_string(principals);
        return audience.enter(entity, caller, nullptr);
    };
    const ReaderPtr ann = enter(test::kClerk, "ann"), other = enter(test::kManager, "ann");
    const ReaderPtr bob = enter(test::kClerk, "bob"), nobody = enter(0, "nobody");
    const ReadersOf readers = [&](const Entity& table) { return audience.of(table); };
    App app;
    const Entity* entities[] = {&test::kItem, &entity};
    app.entities = {entities, 2};
    const ReaderSets sets(app, readers);
    const auto& lookers = sets.lookers(test::kItem);
    ASSERT_EQ(lookers.size(), 2U);
    EXPECT_EQ(lookers[0]->all(), (Readers{ann, bob}));
    EXPECT_EQ(lookers[0]->with("ann"), Readers{ann});
    EXPECT_TRUE(lookers[0]->with("nobody").empty());
    EXPECT_EQ(lookers[1]->all(), (Readers{ann, other, bob, nobody}));
    EXPECT_EQ(sets.tables(), "{item,item}") << "its rows are read too";
    EXPECT_TRUE(sets.lookers(entity).empty());
}

}  // namespace
}  // namespace svc::feed
