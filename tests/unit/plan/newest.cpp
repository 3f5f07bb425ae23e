// An index has the rows by created_at and id where a page lists the newest of all rows first.
#include "plan/served/served.hpp"
#include "plan/table/tables.hpp"
#include "unit/model/contract.hpp"

namespace svc::plan {
namespace {

using tests::resolved;

// Two entities; `pages` is the rest of the contract.
model::Model app(const std::string& pages) {
    return resolved(R"json({"app": {"name": "A"}, "seeds": {},
        "personas": [{"id": "member", "kind": "consumer"}],
        "entities": [
          {"name": "note", "owner": "none", "access": {"read": "*"},
           "fields": [{"name": "title", "type": "string"}]},
          {"name": "secret", "owner": "none", "access": {"read": "server"},
           "fields": [{"name": "title", "type": "string"}]}])json" +
                    pages + "}");
}

std::string index_of(const model::Model& model, std::size_t entity) {
    std::string out;
    for (const TableObject& index : plan_table(model, model.entities[entity]).indexes)
        out += index.sql;
    const bool served = serve_entity(model, model.entities[entity]).newest_first;
    EXPECT_EQ(served, !out.empty());
    return out;
}

constexpr const char* kIndex = "create index note__newest_idx on public.note (created_at, id)";

std::string page(const std::string& settings) {
    return R"(, "pages": [{"route": "/", "to": "*", "title": "Notes", "body": [{"table": {"entity": "note")" +
           settings + "}}]}]";
}

TEST(PlanNewest, StandardPagesListTheRowsThatPeopleMayRead) {
    EXPECT_EQ(index_of(app(""), 0), kIndex);
    EXPECT_EQ(index_of(app(""), 1), "");
}

TEST(PlanNewest, OwnPagesSayWhatTheyList) {
    EXPECT_EQ(index_of(app(page(R"(, "sort": {"field": "created_at", "dir": "desc"})")), 0),
              kIndex);
    EXPECT_EQ(index_of(app(page(R"(, "sort": {"field": "title"})")), 0), "");
    EXPECT_EQ(index_of(app(page("")), 0), "");
    EXPECT_EQ(index_of(app(page(R"(, "sort": {"field": "created_at"},
                  "filter": [{"field": "title", "op": "eq", "value": "A"}])")),
                       0),
              "");
}

}  // namespace
}  // namespace svc::plan
