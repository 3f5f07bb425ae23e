// Contracts whose exposure matrix is compared with the database.

#include "unit/check/contracts.hpp"
#include "unit/check/mutants.hpp"
#include "unit/check/truth_fixture.hpp"
#include "unit/sample_text.hpp"

namespace svc::truth {
namespace {

// Which mutants: those whose rows come out otherwise than the original's.
std::string mutant(const std::string& contract, const std::string& name) {
    for (const auto& one : tests::mutants(tests::Json::parse(contract))) {
        if (one.name == name) return one.contract;
    }
    ADD_FAILURE() << "no mutant " << name;
    return contract;
}

const std::vector<std::string> kDeskRows = {
    "insert into ticket (id, title, user_id, priority, locked, state) values "
    "('00000000-0000-7000-8000-000000000101', 'a', :client, 1, false, 'open'), "
    "('00000000-0000-7000-8000-000000000102', 'b', :client, 2, true, 'busy'), "
    "('00000000-0000-7000-8000-000000000103', 'c', :agent, 3, false, 'done'), "
    "('00000000-0000-7000-8000-000000000104', 'd', null, null, null, 'open'), "
    "('00000000-0000-7000-8000-000000000105', 'e', :client, null, null, 'busy'), "
    "('00000000-0000-7000-8000-000000000106', 'f', :lead, 4, true, 'done')",
    "insert into note (id, ticket_id, body) select ('00000000-0000-7000-8000-0000000002' || "
    "right(id::text, 2))::uuid, id, 'n' from ticket where title <> 'b'",
    "insert into picture (note_id, title) select id, 'p' from note union all select null, 'q'",
    "insert into diary (user_id, body) values (:client, 'x'), (:agent, 'y'), (null, 'z')",
    "insert into states (body) values ('x'), ('y')",
    "insert into place (org_id, name, public) values "
    "('00000000-0000-7000-8000-0000000000aa', 'a', true), "
    "('00000000-0000-7000-8000-0000000000aa', 'b', false), "
    "('00000000-0000-7000-8000-0000000000bb', 'c', null)",
};

TEST_F(Truth, TheMatrixIsWhatTheDatabaseDoes) { hold({"desk", tests::kDesk, kDeskRows}); }

TEST_F(Truth, AlsoOfMutants) {
    for (const char* name : {"ticket: read of consumer: condition turned round",
                             "ticket: deny delete dropped", "agent: extends client"}) {
        hold({name, mutant(tests::kDesk, name), kDeskRows});
    }
}

// Conditions that look at rows which their caller may not see, and denials of fields.
TEST_F(Truth, AlsoOfWhatLooksAtHiddenRows) {
    const char* const contract = R"json({
      "app": {"name": "Holds"},
      "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "entities": [
        {"name": "team", "owner": "none", "fields": [{"name": "vip", "type": "boolean"}],
         "access": {"read": ["clerk"]}},
        {"name": "hold", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"}],
         "access": {"read": ["clerk"]}},
        {"name": "doc", "owner": "none",
         "fields": [
           {"name": "title", "type": "text"}, {"name": "note", "type": "text"},
           {"name": "mark", "type": "text", "write": ["clerk"]}, {"name": "stamp", "type": "text", "write": []},
           {"name": "n", "type": "integer"}, {"name": "twice", "type": "integer", "computed": "n * 2"},
           {"name": "team_id", "type": "ref", "to": "team"}],
         "relations": {"holds": {"many": "hold", "by": "doc_id"}},
         "access": {
           "read": [{"to": "client", "if": "n == 1 || n == 3"}, {"to": "clerk", "if": "n < 3"}],
           "update": [{"to": "client", "fields": ["title"], "if": "team.vip"},
                      {"to": "client", "fields": ["note", "mark"], "if": "!exists(holds)"}, "clerk"],
           "delete": ["client", {"to": "clerk", "if": "team.vip"}],
           "deny": {"update": [{"to": "clerk", "fields": ["note"], "if": "twice == 4"},
                               {"to": "client", "fields": ["note"], "if": "team.vip && n == 3"}],
                    "delete": [{"to": "clerk", "if": "exists(holds)"}]}}},
        {"name": "part", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"same_as": "doc_id"}},
        {"name": "piece", "owner": "none",
         "fields": [{"name": "part_id", "type": "ref", "to": "part", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"same_as": "part_id"}}]})json";
    hold({"holds",
          contract,
          {"insert into team (id, vip) values ('00000000-0000-7000-8000-000000000301', true), "
           "('00000000-0000-7000-8000-000000000302', false)",
           "insert into doc (title, n, team_id) select 'a', n, t.id from generate_series(1, 4) n, "
           "team t union all select 'b', n, null from generate_series(1, 4) n",
           "insert into doc (title, n, team_id) select 'held', n, t.id from "
           "generate_series(1, 4) n, team t",
           "insert into hold (doc_id) select id from doc where title = 'held'",
           "insert into part (doc_id, body) select id, 'p' from doc",
           "insert into piece (part_id, body) select id, 'q' from part"}});
}

// The parent's condition looks elsewhere only for update, or only for read.
TEST_F(Truth, AlsoUnderAParentThatIsReadOtherwiseThanWritten) {
    for (
        const char* access :
        {R"("read": [{"to": "client", "if": "n == 1"}], "update": [{"to": "client", "if": "team.vip"}])",
         R"("read": [{"to": "client", "if": "team.vip"}], "update": [{"to": "client", "if": "n == 1"}])",
         R"("read": [{"to": "client", "if": "n == 1"}], "update": ["client"], "delete": ["client"])"}) {
        const std::string contract = std::string(R"json({
          "app": {"name": "Parents"}, "personas": [{"id": "client", "kind": "consumer"}],
          "entities": [
            {"name": "team", "owner": "none", "fields": [{"name": "vip", "type": "boolean"}],
             "access": {"read": ["server"]}},
            {"name": "doc", "owner": "none",
             "fields": [{"name": "title", "type": "text"}, {"name": "n", "type": "integer"},
                        {"name": "team_id", "type": "ref", "to": "team"}],
             "access": {)json") + access +
                                     R"json(}},
            {"name": "part", "owner": "none",
             "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                        {"name": "body", "type": "text"}],
             "access": {"same_as": "doc_id"}}]})json";
        hold({access,
              contract,
              {"insert into team (vip) values (true), (false)",
               "insert into doc (title, n, team_id) select 'a', n, t.id from "
               "generate_series(1, 2) n, team t",
               "insert into part (doc_id, body) select id, 'p' from doc"}});
    }
}

TEST_F(Truth, AlsoOfWhatAsksAboutTheCaller) {
    const char* const contract = R"json({
      "app": {"name": "Questions"},
      "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "orgs": {"enabled": true, "roles": ["owner", "admin"]},
      "entities": [
        {"name": "doc", "owner": "none",
         "fields": [{"name": "title", "type": "text"}, {"name": "n", "type": "integer"}],
         "access": {"read": [{"to": "client", "if": "n == 1"}, {"to": "clerk", "if": "n < 3"}],
                    "update": [{"to": "client", "if": "n <= 2"}, "clerk"], "delete": ["clerk"]}},
        {"name": "part", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"read": [{"to": "*", "if": "can('read', doc_id)"}],
                    "create": [{"to": "client", "if": "can('update', doc_id)"}],
                    "update": [{"to": "signed_in", "if": "can('update', doc_id) && body != 'held'"}],
                    "delete": [{"to": "signed_in", "if": "!can('delete', doc_id)"}]}},
        {"name": "scheme", "owner": "org", "fields": [{"name": "note", "type": "text"}],
         "access": {"read": [{"to": "client", "if": "member(org_id, 'admin', 'owner')"},
                             {"to": "clerk", "if": "member(org_id)"}],
                    "update": [{"to": "client", "if": "!member(org_id)"}]}}]})json";
    hold({"questions",
          contract,
          {"insert into doc (title, n) values ('a', 1), ('b', 2), ('c', 3), ('d', null)",
           "insert into part (doc_id, body) select id, 'free' from doc union all select id, 'held' "
           "from doc",
           "insert into scheme (org_id, note) values ('00000000-0000-7000-8000-0000000000aa', "
           "'ours'), "
           "('00000000-0000-7000-8000-0000000000ab', 'theirs'), (null, 'nobody')"}});
}

TEST_F(Truth, AlsoOfTheShop) {
    hold({"shop",
          svc::tests::sample_text("shop"),
          {"insert into product (sku, title, price, stock, active) values ('A', 'a', 1, 9, true), "
           "('B', 'b', 1, 9, false), ('C', 'c', 1, 9, null)",
           "insert into \"order\" (user_id, note, status) values (:customer, 'x', 'draft'), "
           "(:customer, 'y', 'placed'), (:clerk, 'z', 'draft')",
           "insert into order_line (order_id, product_id) select o.id, p.id from \"order\" o, "
           "product p where p.sku = 'A'"}});
}

}  // namespace
}  // namespace svc::truth
