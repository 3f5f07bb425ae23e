// Values, conditions and lists of steps as SQL over their context.
#include <algorithm>
#include <utility>

#include "plan/flow/plan_flows.hpp"
#include "plan/planner.hpp"
#include "query/scratch/in_temporary.hpp"
#include "unit/model/contract.hpp"

namespace svc::plan {
namespace {

using tests::kShop;
using tests::resolved;

// The shop with these workflows and functions.
Plan planned(const std::string& keys) {
    const std::string text = kShop;
    const model::Model shop = resolved(text.substr(0, text.rfind('}')) + ", " + keys + "}");
    PlanResult out = make_plan(shop, "hash");
    EXPECT_TRUE(out.plan);
    plan_flows(shop, *out.plan);
    return std::move(*out.plan);
}

std::string workflow(const std::string& steps,
                     const std::string& on = R"({"entity": "order_line", "event": "updated"})") {
    return R"("workflows": [{"id": "w", "on": )" + on + R"(, "steps": [)" + steps + "]}]";
}

// The plan of the last step.
std::string last(const std::string& steps) {
    return planned(workflow(steps)).flows.all.back().texts.back().sql;
}

// A condition on the row.
std::string condition(const std::string& expression) {
    const auto texts =
        planned(workflow(R"({"id": "s", "if": ")" + expression + R"(", "sleep": "1s"})"))
            .flows.all.back()
            .texts;
    return texts.front().sql;
}

// A value of JSON that is set.
std::string value(const std::string& placeholder) {
    return last(R"({"id": "s", "set": {"v": )" + placeholder + "}}");
}

const std::string kSet = "select jsonb_build_object('v', ";
const std::string kLongSet = "select jsonb_build_object(\n    'v', ";  // of what fills a line

// What writes the moments over those of a row: "created_at", "_r.created_at", …
std::string moments(const std::vector<std::pair<std::string, std::string>>& columns) {
    std::string out, lines;
    for (const auto& [name, column] : columns) {
        const std::string one = "'" + name + "', svc.moment(" + column + ")";
        out += (out.empty() ? "" : ", ") + one;
        lines += (lines.empty() ? "\n    " : ",\n    ") + one;
    }
    return "jsonb_build_object(" + (out.size() > 78 ? lines : out) + ")";
}

std::string in_context(const std::string& member) {
    return "($1 #>> '{" + member + "}')::timestamptz";
}

TEST(PlanFlows, RowsOfAnEventHaveTheTypesOfTheirColumns) {
    EXPECT_EQ(value(R"("{new.quantity}")"), kSet + "($1 #>> '{new,quantity}')::bigint)");
    EXPECT_EQ(value(R"("{old.id}")"), kSet + "($1 #>> '{old,id}')::uuid)");
    EXPECT_EQ(value(R"("{new}")"), kLongSet + "nullif($1 #> '{new}', 'null') || " +
                                       moments({{"created_at", in_context("new,created_at")},
                                                {"updated_at", in_context("new,updated_at")}}) +
                                       ")");
}

TEST(PlanFlows, MomentsHaveTheFormOfTheDataApi) {
    const std::string at = "svc.moment(" + in_context("new,created_at") + ")";
    EXPECT_EQ(value(R"("{new.created_at}")"), kSet + at + ")");
    EXPECT_EQ(value(R"("at {new.created_at}")"), kLongSet + "'at ' || coalesce(" + at + ", ''))");
    EXPECT_EQ(last(R"({"id": "s", "return": "{new.created_at}"})"), "select to_jsonb(" + at + ")");
    EXPECT_EQ(last(R"({"id": "s", "return": "{new.order.placed_at}"})"),
              "select to_jsonb(svc.moment((select _t1.placed_at from public.\"order\" _t1 where "
              "_t1.id = ($1 #>> '{new,order_id}')::uuid)))");
    const auto rows = planned(workflow(
        R"({"id": "s", "for": "new.order.lines", "as": "line", "set": {"v": "{line.quantity}"}})"));
    EXPECT_EQ(rows.flows.all.back().texts[0].sql,
              "select (select coalesce(jsonb_agg(to_jsonb(_t2) || " +
                  moments({{"created_at", "_t2.created_at"}, {"updated_at", "_t2.updated_at"}}) +
                  " order by _t2.id), '[]') from public.\"order\" _t1 join public.order_line _t2 "
                  "on _t2.order_id = _t1.id where _t1.id = ($1 #>> '{new,order_id}')::uuid)");
}

TEST(PlanFlows, AWrittenRowHasItsMomentsOnceMoreAsText) {
    EXPECT_EQ(last(R"({"id": "s", "create": {"entity": "order", "data": {}}})"),
              "with _w as (\n    insert into public.\"order\" default values\n    returning *, "
              "svc.moment(created_at) as created_at, svc.moment(updated_at) as updated_at, "
              "svc.moment(placed_at) as placed_at\n)\nselect to_jsonb(_w) from _w");
}

TEST(PlanFlows, PathsWalkOnOverRefsAndRelations) {
    EXPECT_EQ(value(R"("{new.product.title}")"),
              kLongSet +
                  "(select _t1.title from public.product _t1 where _t1.id = "
                  "($1 #>> '{new,product_id}')::uuid))");
    EXPECT_EQ(
        condition("exists(new.order.lines)"),
        "select coalesce(exists (select 1 from public.\"order\" _t1 join public.order_line _t2 "
        "on _t2.order_id = _t1.id where _t1.id = ($1 #>> '{new,order_id}')::uuid), false)");
}

TEST(PlanFlows, TextsAreLiteralsWhateverTheyHold) {
    EXPECT_EQ(value(R"("it's {new.quantity}; drop")"),
              kLongSet +
                  "'it''s ' || coalesce(($1 #>> '{new,quantity}')::bigint::text, '') || "
                  "'; drop')");
    EXPECT_EQ(value(R"("it's")"), kSet + "'it''s')");
    EXPECT_EQ(value(R"([1, true, null, {"a": "it's"}])"),
              kSet + "jsonb_build_array(1, true, null, jsonb_build_object('a', 'it''s')))");
}

TEST(PlanFlows, OpenJsonIsReadAsWhatItsPlaceWants) {
    const std::string ask =
        R"({"id": "ask", "http": {"method": "GET", "url": "https://a.example"}}, )";
    const auto at = [&](const std::string& expression) {
        const auto texts =
            planned(workflow(ask + R"({"id": "s", "if": ")" + expression + R"(", "sleep": "1s"})"))
                .flows.all.back()
                .texts;
        return texts[1].sql;
    };
    EXPECT_EQ(at("steps.ask.body.total > 5"),
              "select coalesce(svc.flow_decimal($1 #> '{steps,ask,body,total}') > 5, false)");
    EXPECT_EQ(at("steps.ask.body.total == null"),
              "select coalesce(nullif($1 #> '{steps,ask,body,total}', 'null') is null, false)");
    EXPECT_EQ(at("steps.ask.status == 404"),
              "select coalesce(($1 #>> '{steps,ask,status}')::bigint = 404, false)");
    EXPECT_EQ(at("new.quantity in steps.ask.body.list"),
              "select coalesce(nullif($1 #> '{steps,ask,body,list}', 'null') @> "
              "to_jsonb(($1 #>> '{new,quantity}')::bigint), false)");
    EXPECT_EQ(at("count(steps.ask.body.list) == 0"),
              "select coalesce(svc.flow_count(nullif($1 #> '{steps,ask,body,list}', 'null')) = 0, "
              "false)");
}

TEST(PlanFlows, ManyMembersDoNotMeetTheLimitOfArguments) {
    std::string members;
    for (int i = 0; i < 90; ++i)
        members += (i == 0 ? "\"m" : ", \"m") + std::to_string(i) + "\": " + std::to_string(i);
    const std::string sql = last(R"({"id": "s", "set": {)" + members + "}}");
    EXPECT_EQ(sql.find("'m40', 40") != std::string::npos, true);
    EXPECT_EQ(std::count(sql.begin(), sql.end(), '|'), 4);
}

TEST(PlanFlows, TheSystemMovesPastByAndOthersDoNot) {
    const std::string move =
        R"("transition": {"entity": "order", "id": "{new.order_id}", "transition": "place"}})";
    const std::string row = "select to_jsonb(_r) || " + moments({{"created_at", "_r.created_at"},
                                                                 {"updated_at", "_r.updated_at"},
                                                                 {"placed_at", "_r.placed_at"}});
    EXPECT_EQ(last(R"({"id": "s", )" + move),
              row + " from svc.order_move(($1 #>> '{new,order_id}')::uuid, 'place') _r");
    EXPECT_EQ(last(R"({"id": "s", "runAs": "clerk", )" + move),
              row + " from svc.order_transition(($1 #>> '{new,order_id}')::uuid, 'place') _r");
    const Plan plan = planned(workflow(R"({"id": "s", )" + move));
    const auto moves = std::find_if(plan.routines.begin(), plan.routines.end(),
                                    [](const Routine& one) { return one.name == "order_move"; });
    ASSERT_NE(moves, plan.routines.end());
    EXPECT_EQ(moves->create.find("acts_as"), std::string::npos);
}

TEST(PlanFlows, TheSameContractHasTheSameHashes) {
    const std::string one = workflow(R"({"id": "s", "sleep": "1s"})");
    const std::string other = workflow(R"({"id": "s", "sleep": "2s"})");
    const auto hash = [](const std::string& keys) { return planned(keys).flows.all.back().hash; };
    EXPECT_EQ(hash(one), hash(one));
    EXPECT_NE(hash(one), hash(other));
}

TEST(PlanFlows, ADefinitionTellsWhatTheEngineNeeds) {
    const Plan plan = planned(
        R"("workflows": [{"id": "w", "on": {"manual": true}, "runAs": "clerk", "key": "a", "keyFor": "2h",
            "concurrency": {"limit": 2, "overflow": "skip"}, "timeout": "1m",
            "steps": [{"id": "s", "sleep": "5s"}]}])");
    EXPECT_EQ(
        plan.flows.all.back().definition,
        R"json({"kind":"workflow","name":"w","runAs":"persona:clerk","principals":"clerk,staff,signed_in",)json"
        R"json("key":"select 'a'","keyFor":7200,"concurrency":{"key":"select ''","limit":2,"overflow":"skip"},)json"
        R"json("timeout":60,"steps":[{"id":"s","kind":"sleep","runAs":"persona:clerk",)json"
        R"json("principals":"clerk,staff,signed_in","retry":{"max":5,"base":2,"factor":2,"cap":600},"seconds":5}]})json");
}

TEST(PlanFlows, NamesAreFoundInTheTemporarySchemaOutsideOfTexts) {
    EXPECT_EQ(query::in_temporary(
                  "select 'public.a', \"svc.b\", svc.flow_text(x) from public.\"order\" r "
                  "join svc_ext.c on r.public = my_svc.d"),
              "select 'public.a', \"svc.b\", pg_temp.flow_text(x) from pg_temp.\"order\" r join "
              "pg_temp.c on r.public = my_svc.d");
}

}  // namespace
}  // namespace svc::plan
