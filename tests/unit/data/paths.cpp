// Filters and sorts over refs: leaves of branches of trunks, of which a clerk sees some.
#include "unit/data/every.hpp"

namespace svc::test {
namespace {

extern const Entity kBranch;
extern const Entity kLeaf;

constexpr Column kBranchColumns[] = {
    {.name = "id", .type = Type::uuid},
    {.name = "title", .type = Type::text},
    {.name = "secret", .type = Type::integer, .readers = kManager},
    {.name = "branch_id", .type = Type::uuid},
    {.name = "grown", .type = Type::timestamp},
};
constexpr Column kLeafColumns[] = {
    {.name = "id", .type = Type::uuid},
    {.name = "title", .type = Type::text},
    {.name = "branch_id", .type = Type::uuid},
    {.name = "hidden_id", .type = Type::uuid, .readers = kManager},
};
constexpr Link kBranchLinks[] = {{"branch", Link::one, 3, &kBranch},
                                 {"leaves", Link::many, 0, &kLeaf, 2}};
constexpr Link kLeafLinks[] = {{"branch", Link::one, 2, &kBranch},
                               {"hidden_id", Link::one, 3, &kBranch}};

Entity entity(std::string_view name, std::string_view list, List<Column> columns,
              List<Link> links) {
    Entity out{};
    out.name = name;
    out.columns = columns;
    out.fields_json = "[]";
    out.access.read = kClerk | kManager;
    out.list = list;
    out.links = links;
    out.write_row = write_id;
    return out;
}

const Entity kBranch =
    entity("branch", "select id, title, secret, branch_id, grown\nfrom public.branch",
           kBranchColumns, kBranchLinks);
const Entity kLeaf = entity("leaf", "select id, title, branch_id, hidden_id\nfrom public.leaf",
                            kLeafColumns, kLeafLinks);

constexpr const char* kTree = R"sql(
create table branch (id uuid primary key, title text, secret bigint, branch_id uuid, grown timestamptz);
create table leaf (id uuid primary key default svc.new_id(), title text, branch_id uuid, hidden_id uuid);
insert into branch select ('00000000-0000-7000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid,
    case when n % 9 <> 0 then 'branch ' || n % 5 end, n,
    case when n > 3 then ('00000000-0000-7000-8000-0000000000' || lpad((n / 3)::text, 2, '0'))::uuid end,
    timestamptz '2026-10-24 12:00Z' + n * interval '3 hours' from generate_series(1, 40) n;
insert into leaf (title, branch_id, hidden_id) select 'leaf ' || n % 7, b.id, b.id
from generate_series(1, 150) n left join branch b on b.secret = n % 50;
alter table branch enable row level security;
alter table leaf enable row level security;
create policy see on branch for select
using ((select svc.acts_as('manager')) or ((select svc.acts_as('clerk')) and secret % 4 <> 0));
create policy see on leaf for select using (true);
-- What a clerk sees of it, for plain SQL.
create view open_branch as select * from branch where secret % 4 <> 0;
create view seen as select l.id, l.title, b.title as one, c.title as two, d.title as three, c.grown
from leaf l left join open_branch b on b.id = l.branch_id left join open_branch c on c.id = b.branch_id
left join open_branch d on d.id = c.branch_id;
grant select on branch, leaf to :role;
)sql";

}  // namespace
}  // namespace svc::test

namespace svc::data {
namespace {

class DataPaths : public EveryTest {
  protected:
    void SetUp() override {
        DataTest::SetUp();
        if (IsSkipped()) return;
        std::string tree = test::kTree;
        tree.replace(tree.find(":role"), 5, role);
        database->sql(tree);
    }

    int leaves(const std::string& query, const Caller& who = kClerk) {
        test::FakeExchange exchange("GET", "/");
        const_cast<http::Head&>(exchange.head()).query = query;
        const Route route{Method::get, "", Action::list, &test::kLeaf};
        return answered(exchange,
                        perform(route, "", exchange, who, test::kItemApp, *pool, kSigner));
    }

    std::string aggregate(const std::string& query, const Caller& who = kClerk) {
        test::FakeExchange exchange("GET", "/");
        const_cast<http::Head&>(exchange.head()).query = query;
        const Route route{Method::get, "", Action::aggregate, &test::kLeaf};
        const int status =
            answered(exchange, perform(route, "", exchange, who, test::kItemApp, *pool, kSigner));
        return status == 200 ? body.substr(0, body.find(",\"window\""))
                             : std::to_string(status) + body;
    }

    std::vector<std::string> seen(const std::string& condition, const std::string& order = "id") {
        const std::string all = database->sql("select coalesce(string_agg(id::text, ',' order by " +
                                              order + "), '') from seen where " + condition);
        std::vector<std::string> out;
        for (std::size_t at = 0; at < all.size(); at += 37) out.push_back(all.substr(at, 36));
        return out;
    }

    void check(const std::string& clause, const std::string& condition) {
        ASSERT_EQ(leaves("limit=500&count=exact&filter=" + escaped('[' + clause + ']')), 200)
            << body;
        EXPECT_EQ(ids(), seen(condition)) << clause;
        EXPECT_EQ(member("count"), std::to_string(ids().size()));
        ASSERT_EQ(leaves("count=estimated&filter=" + escaped('[' + clause + ']')), 200) << body;
        EXPECT_EQ(member("count"), std::to_string(seen(condition).size()));
    }
};

TEST_F(DataPaths, FilterByWhatTheCallerMaySee) {
    check(R"({"field":"branch_id.title","op":"eq","value":"branch 3"})", "one = 'branch 3'");
    check(R"({"field":"branch.title","op":"eq","value":null})", "one is null");
    check(R"({"field":"branch.title","op":"neq","value":"branch 3"})",
          "one is distinct from 'branch 3'");
    check(R"({"not":{"field":"branch.branch_id.title","op":"contains","value":"H 1"}})",
          "(two ilike '%h 1%') is not true");
    check(R"({"field":"branch.branch.branch.title","op":"in","value":["branch 1",null]})",
          "three = 'branch 1' or three is null");
    check(R"({"or":[{"field":"branch.title","op":"starts_with","value":"branch 2"},)"
          R"({"field":"title","op":"eq","value":"leaf 4"},)"
          R"({"field":"branch.branch.grown","op":"eq","value":"2026-10-25"}]})",
          "one like 'branch 2%' or title = 'leaf 4' or "
          "(grown at time zone 'Europe/Paris')::date = '2026-10-25'");
    ASSERT_EQ(
        leaves("limit=500&where=" + escaped(R"({"branch_id.title":"branch 2","title":"leaf 1"})")),
        200)
        << body;
    EXPECT_EQ(ids(), seen("one = 'branch 2' and title = 'leaf 1'"));
}

TEST_F(DataPaths, AggregatesFilterAndGroupByWhatTheCallerMaySee) {
    const auto counted = [this](const std::string& condition) {
        return R"({"ok":true,"value":)" + std::to_string(seen(condition).size());
    };
    EXPECT_EQ(aggregate("metric=count&filter=" +
                        escaped(R"([{"field":"branch.title","op":"eq","value":"branch 3"}])")),
              counted("one = 'branch 3'"));
    EXPECT_EQ(aggregate("metric=count&where=" +
                        escaped(R"({"branch.branch.title":null,"title":"leaf 2"})")),
              counted("two is null and title = 'leaf 2'"));
    EXPECT_EQ(
        aggregate("metric=count&groupBy=branch.title"),
        database->sql(
            R"(select '{"ok":true,"groups":[' || string_agg(format('{"key":%s,"value":%s}', coalesce(to_json(one)::text, 'null'), n), ',' order by one nulls last) || '],"truncated":false')"
            " from (select one, count(*) n from seen group by one) s"));
    EXPECT_EQ(
        aggregate("metric=count&groupBy=branch.branch.grown&bucket=month&tz=UTC"),
        database->sql(
            R"(set timezone = 'UTC'; select '{"ok":true,"groups":[' || string_agg(format('{"key":%s,"value":%s}', coalesce(to_json(m)::text, 'null'), n), ',' order by m nulls last) || '],"truncated":false')"
            " from (select date_trunc('month', grown)::date m, count(*) n from seen group by 1) "
            "s"));
    for (const char* hidden :
         {"branch.secret", "hidden_id.title", "branch.leaves.title", "nope.title"}) {
        EXPECT_TRUE(aggregate("metric=count&groupBy=" + std::string(hidden)).starts_with("400"))
            << hidden;
        EXPECT_TRUE(says("PARAMS_INVALID")) << body;
        EXPECT_TRUE(
            aggregate("metric=count&where=" + escaped("{\"" + std::string(hidden) + "\":null}"))
                .starts_with("400"));
    }
    EXPECT_TRUE(
        aggregate("metric=count&groupBy=branch.secret", kManager).starts_with("{\"ok\":true"))
        << body;
}

TEST_F(DataPaths, PagesInTheOrderOfARowBehindARef) {
    const std::string sort =
        "sort=" +
        escaped(R"([{"field":"branch.branch.title","dir":"desc"},{"field":"branch_id.title"},)"
                R"({"field":"title","dir":"desc"}])");
    const auto expected = seen("true", "two desc, one, title desc, id desc");
    ASSERT_EQ(leaves(sort + "&limit=500"), 200) << body;
    EXPECT_EQ(ids(), expected);
    std::vector<std::string> walked;
    for (std::string cursor; cursor != "null"; cursor = member("nextCursor")) {
        ASSERT_EQ(leaves(sort + "&limit=11&cursor=" + cursor), 200) << body;
        for (const std::string& id : ids()) walked.push_back(id);
    }
    EXPECT_EQ(walked, expected);
}

TEST_F(DataPaths, KnowOnlyWhatIsReadable) {
    const auto refused = [this](const std::string& path, const char* code,
                                const Caller& who = kClerk) {
        for (const std::string& query :
             {"sort=" + escaped(R"({"field":")" + path + "\"}"),
              "where=" + escaped("{\"" + path + "\":null}"),
              "filter=" + escaped(R"([{"field":")" + path + R"(","op":"is_null"}])")}) {
            EXPECT_EQ(leaves(query, who), 400) << query;
            EXPECT_TRUE(says(code)) << query << body;
        }
    };
    for (const char* path :
         {"branch.secret", "branch.none", "branch.", ".title", "title.title", "none.title",
          "branch..title", "hidden_id.title", "branch.branch.secret", ".", "branch"}) {
        refused(path, "\"code\":\"42703\"");
    }
    refused("branch.leaves.title", "\"code\":\"PARAMS_INVALID\"");
    refused("branch.branch.branch.branch.title", "\"code\":\"PARAMS_INVALID\"");
    EXPECT_EQ(leaves(R"(where={"branch.secret":4})", kManager), 200) << body;
    EXPECT_EQ(ids().size(), 3u);
    EXPECT_EQ(leaves(R"(where={"hidden_id.secret":4})", kManager), 200) << body;
    EXPECT_EQ(ids().size(), 3u);
}

}  // namespace
}  // namespace svc::data
