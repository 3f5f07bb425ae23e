// Pages by cursor against the plain list: every sortable column, both directions, several keys, and
// rows that come and go meanwhile.
#include <random>
#include <set>

#include "data/list/cursor.hpp"
#include "unit/data/every.hpp"

namespace svc::data {
namespace {

class DataCursor : public EveryTest {
  protected:
    // All rows, page by page.
    std::vector<std::string> walk(const std::string& query, unsigned limit) {
        std::vector<std::string> all;
        std::string cursor;
        for (int page = 0; page < 1000; ++page) {
            const int status =
                list(query + "&offset=x&limit=" + std::to_string(limit) + "&cursor=" + cursor);
            EXPECT_EQ(status, 200) << query << body;
            if (status != 200) return all;
            for (const std::string& id : ids()) all.push_back(id);
            cursor = member("nextCursor");
            const bool more = cursor != "null";
            EXPECT_EQ(member("hasMore"), more ? "true" : "false");
            EXPECT_FALSE(says("truncated") || says("fields")) << body;
            EXPECT_EQ(member("rowCount"), std::to_string(ids().size()));
            if (!more) return all;
            EXPECT_EQ(ids().size(), limit);
        }
        ADD_FAILURE() << "no end: " << query;
        return all;
    }

    void check(const std::string& keys, const std::string& order, unsigned limit) {
        const std::string query = "sort=" + escaped(keys);
        ASSERT_EQ(list(query + "&limit=500"), 200) << body;
        const auto plain = ids();
        ASSERT_EQ(plain, oracle("true", order)) << keys;
        ASSERT_EQ(walk(query, limit), plain) << keys;
    }

    std::string next(const std::string& query, const Caller& who = kClerk) {
        EXPECT_EQ(list(query + "&limit=3&cursor=", who), 200) << body;
        return member("nextCursor");
    }
};

std::string key(const std::string& field, bool descending) {
    return R"({"field":")" + field + R"(","dir":")" + (descending ? "desc" : "asc") + "\"}";
}

std::string sql(const std::string& field, bool descending) {
    return field + (descending ? " desc" : " asc");
}

TEST_F(DataCursor, WalksEveryColumnBothWays) {
    for (const Column& column : test::kEveryColumns) {
        const std::string name(column.name);
        for (const bool down : {false, true}) {
            check(key(name, down), sql(name, down) + ", " + sql("id", down), 23);
        }
    }
}

TEST_F(DataCursor, WalksByIdWithoutASort) {
    EXPECT_EQ(walk("", 7), oracle("true"));
    EXPECT_EQ(walk("", 400), oracle("true"));
    EXPECT_EQ(walk("", 399), oracle("true"));
    const std::string filter = R"([{"field":"kind","op":"neq","value":"open"}])";
    EXPECT_EQ(walk("filter=" + escaped(filter), 9), oracle("kind is distinct from 'open'"));
    EXPECT_EQ(walk(R"(where={"kind":"none"})", 9), std::vector<std::string>{});
}

TEST_F(DataCursor, WalksSeveralKeys) {
    std::mt19937 random(7);
    const std::size_t columns = std::size(test::kEveryColumns);
    for (int i = 0; i < 60; ++i) {
        std::string keys, order;
        std::set<std::string> used;
        bool down = false;
        for (unsigned n = 2 + random() % 3; n > 0; --n) {
            const std::string name(test::kEveryColumns[random() % columns].name);
            if (!used.insert(name).second) continue;
            down = random() % 2 == 0;
            keys += (keys.empty() ? "" : ",") + key(name, down);
            order += sql(name, down) + ", ";
        }
        check('[' + keys + ']', order + sql("id", down), 31);
    }
}

TEST_F(DataCursor, StandsStillWhileRowsComeAndGo) {
    std::mt19937 random(11);
    const std::string sort =
        "sort=" + escaped('[' + key("label", false) + ',' + key("at", true) + ']');
    ASSERT_EQ(list(sort + "&limit=500"), 200);
    auto expected = ids();
    std::vector<std::string> met;
    std::string cursor;
    while (cursor != "null") {
        ASSERT_EQ(list(sort + "&limit=10&cursor=" + cursor), 200) << body;
        const auto page = ids();
        met.insert(met.end(), page.begin(), page.end());
        cursor = member("nextCursor");
        if (page.empty()) break;
        // The position itself goes, and something before and after it; others come.
        std::string gone = "'" + page.back() + "'";
        for (int i = 0; i < 2; ++i) {
            const std::string& other = expected[random() % expected.size()];
            gone += ",'" + other + "'";
            if (std::find(met.begin(), met.end(), other) == met.end()) {
                expected.erase(std::find(expected.begin(), expected.end(), other));
            }
        }
        database->sql("delete from every where id in (" + gone +
                      ");"
                      "insert into every (label, at, code) select label, at, 'new' from every "
                      "order by random() limit 3");
    }
    std::vector<std::string> old;
    const std::set<std::string> known(expected.begin(), expected.end());
    for (const std::string& id : met) {
        if (known.count(id) != 0) old.push_back(id);
    }
    EXPECT_EQ(old, expected) << "each that stays is met once, in its place";
    EXPECT_EQ(std::set<std::string>(met.begin(), met.end()).size(), met.size());
}

TEST_F(DataCursor, IsForItsListAndCallerAlone) {
    const std::string sort = "sort=" + escaped(key("label", false));
    const std::string where = "&where=" + escaped(R"({"flag":true})");
    const std::string cursor = next(sort + where);
    const auto refused = [this](const std::string& query, const Caller& who = kClerk) {
        EXPECT_EQ(list(query, who), 400) << query << body;
        EXPECT_TRUE(says(R"("code":"PARAMS_INVALID")")) << body;
    };
    EXPECT_EQ(list(sort + where + "&cursor=" + cursor), 200) << body;
    EXPECT_EQ(list("limit=2&cursor=" + cursor + where + "&count=exact&" + sort), 200) << body;
    EXPECT_EQ(list("cursor=" + cursor + "&sort=" + escaped(" { \"field\" : \"label\" } ") +
                   "&where=" + escaped("{\"flag\":\"true\"}")),
              200)
        << "the same list in other words" << body;
    refused(sort + "&cursor=" + cursor);
    refused(sort + "&where=" + escaped(R"({"flag":false})") + "&cursor=" + cursor);
    refused("sort=" + escaped(key("label", true)) + where + "&cursor=" + cursor);
    refused("sort=" + escaped(key("kind", false)) + where + "&cursor=" + cursor);
    refused(sort + where + "&cursor=" + cursor, kManager);
    Caller other = kClerk;
    other.user->id = kBob;
    refused(sort + where + "&cursor=" + cursor, other);
    for (std::size_t i = 0; i < cursor.size(); ++i) {
        std::string forged = cursor;
        forged[i] = forged[i] == 'A' ? 'B' : 'A';
        refused(sort + where + "&cursor=" + forged);
    }
    for (const std::string wrong :
         {"x", "AAAA", "%00", "a b", "null", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"}) {
        refused(sort + where + "&cursor=" + wrong);
    }
}

TEST_F(DataCursor, OfAnotherTableIsNone) {
    const std::string cursor = next("");
    test::FakeExchange exchange("GET", "/");
    const std::string query = "cursor=" + cursor;
    const_cast<http::Head&>(exchange.head()).query = query;
    const Route route{Method::get, "", Action::list, &test::kItem};
    EXPECT_EQ(
        answered(exchange, perform(route, "", exchange, kClerk, test::kItemApp, *pool, kSigner)),
        400);
    const identity::Signer restarted("a secret of tests", "cursor"), foreign("another", "cursor");
    EXPECT_TRUE(list::Cursors(restarted, kClerk)
                    .read("x", list::Cursors(kSigner, kClerk).make("x", {"1"})));
    EXPECT_FALSE(
        list::Cursors(foreign, kClerk).read("x", list::Cursors(kSigner, kClerk).make("x", {"1"})));
}

TEST_F(DataCursor, HoldsAnyValueAndSaysWhatItCannot) {
    const list::Cursors cursors(kSigner, kClerk);
    const list::Cursors::Position position = {"",  std::nullopt, "3:abc-",
                                              "-", std::nullopt, "\"\\\n"};
    const auto back = cursors.read("list", cursors.make("list", position));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, position);
    database->sql("update every set label = repeat('x', 5000)");
    EXPECT_EQ(list("limit=3&cursor=&sort=" + escaped(key("label", false))), 400);
    EXPECT_TRUE(says("too long for a cursor")) << body;
}

}  // namespace
}  // namespace svc::data
