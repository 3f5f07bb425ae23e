// Each operation of a patch: a contract, an edit, and the resulting contract, or the refusal.
#include "patch/patch.hpp"

#include <gtest/gtest.h>

namespace svc::devapi::patch {
namespace {

constexpr const char* kContract = R"({
  "app": {"name": "A", "timezone": "Europe/Paris"},
  "personas": [{"id": "clerk", "kind": "staff"}],
  "entities": [
    {"name": "part", "fields": [
      {"name": "f", "type": "number", "max": 1.50},
      {"name": "g", "type": "text"}], "access": {"read": "clerk"}}
  ],
  "queries": [{"name": "q/one", "sql": "select 1"}],
  "pages": [{"route": "/", "title": "Home"}],
  "components": [{"name": "Card", "source": "a b\nb c"}],
  "workflows": [{"id": "w"}],
  "seeds": {"part": [{"_key": "x", "f": 1, "g": "t"}, {"f": 2}]}
})";

struct Case {
    const char* edit;
    const char* from;  // a part of the contract
    const char* to;    // the text afterwards; null: it is refused, and `from` says why
};

std::string outcome(const std::string& contract, const std::string& edit) {
    PatchContext context;
    return patched(contract, {edit}, context);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const Case kCases[] = {
    {R"({"op": "add_entity", "entity": {"name": "note", "fields": [], "x": 1.00}})",
     R"("access": {"read": "clerk"}}
  ],)",
     R"("access": {"read": "clerk"}},
    {"name": "note", "fields": [], "x": 1.00}
  ],)"},
    {R"({"op": "update_entity", "entity": "part", "set": {"owner": "none", "access": null}})",
     R"("type": "text"}], "access": {"read": "clerk"}})", R"("type": "text"}], "owner": "none"})"},
    {R"({"op": "add_field", "entity": "part", "field": {"name": "h", "type": "date"}})",
     R"({"name": "g", "type": "text"}])", R"({"name": "g", "type": "text"},
      {"name": "h", "type": "date"}])"},
    {R"({"op": "update_field", "entity": "part", "field": {"name": "f", "max": 2.50, "min": 0}})",
     R"("max": 1.50})", R"("max": 2.50, "min": 0})"},
    {R"({"op": "update_field", "entity": "part", "field": {"name": "f", "max": null}})",
     R"("type": "number", "max": 1.50})", R"("type": "number"})"},
    {R"({"op": "set_access", "entity": "part", "access": {"read": "*"}})",
     R"("access": {"read": "clerk"})", R"("access": {"read": "*"})"},
    {R"({"op": "set_access", "entity": "part", "access": null})",
     R"(, "access": {"read": "clerk"})", ""},
    {R"({"op": "set_query", "query": {"name": "q/one", "sql": "select 2"}})",
     R"({"name": "q/one", "sql": "select 1"})", R"({"name": "q/one", "sql": "select 2"})"},
    {R"({"op": "set_query", "query": {"name": "q/two"}})", R"("sql": "select 1"}])",
     R"("sql": "select 1"}, {"name": "q/two"}])"},
    {R"({"op": "remove_query", "name": "q/one"})", R"([{"name": "q/one", "sql": "select 1"}])",
     "[]"},
    {R"({"op": "set_workflow", "workflow": {"id": "w", "on": 1}})", R"({"id": "w"})",
     R"({"id": "w", "on": 1})"},
    {R"({"op": "remove_workflow", "id": "w"})", R"([{"id": "w"}])", "[]"},
    {R"({"op": "set_function", "function": {"name": "fn"}})", R"({"f": 2}]})", R"({"f": 2}]},
  "functions": [{"name": "fn"}])"},
    {R"({"op": "add_page", "page": {"route": "/two"}})", R"("title": "Home"}])",
     R"("title": "Home"}, {"route": "/two"}])"},
    {R"({"op": "remove_page", "route": "/"})", R"([{"route": "/", "title": "Home"}])", "[]"},
    {R"({"op": "set_component", "component": {"name": "Card", "source": ""}})",
     R"("source": "a b\nb c")", R"("source": "")"},
    {R"({"op": "edit_component", "name": "Card", "find": "b\nb", "replace": "\"é\""})",
     R"("a b\nb c")", R"("a \"é\" c")"},
    {R"({"op": "edit_component", "name": "Card", "find": "a ", "replace": ""})", R"("a b\nb c")",
     R"("b\nb c")"},
    {R"({"op": "set_persona", "persona": {"id": "boss", "kind": "staff"}})", R"("kind": "staff"}])",
     R"("kind": "staff"}, {"id": "boss", "kind": "staff"}])"},
    {R"({"op": "set_app", "app": {"name": "B", "currency": "eur"}})",
     R"({"name": "A", "timezone": "Europe/Paris"})",
     R"({"name": "B", "timezone": "Europe/Paris", "currency": "eur"})"},
    {R"({"op": "set_app", "app": {"timezone": null}})", R"(, "timezone": "Europe/Paris")", ""},
    // EditError.
    {R"({"op": "nothing"})", "op: There is no operation \"nothing\".", nullptr},
    {R"({"op": "add_feild"})",
     "op: There is no operation \"add_feild\". Did you mean "
     "\"add_field\"?",
     nullptr},
    {R"({"op": 1})", "op: Must be a string.", nullptr},
    {R"({})", "op: Is required.", nullptr},
    {R"([])", ": An edit must be an object: {\"op\": …}.", nullptr},
    {R"({"op": "add_field", "entity": "part", "feild": {}})",
     "feild: This operation does not have this member. Did you mean \"field\"?", nullptr},
    {R"({"op": "add_entity", "entity": "note"})", "entity: Must be an object.", nullptr},
    {R"({"op": "add_entity", "entity": {}})", "entity: Needs a \"name\".", nullptr},
    {R"({"op": "add_entity", "entity": {"name": "part"}})",
     "entity: The entity \"part\" already exists.", nullptr},
    {R"({"op": "update_entity", "entity": "part", "set": {"name": "other"}})",
     "set: A patch cannot rename an entity, because other parts of the contract name it. Change "
     "the "
     "name everywhere in the contract, and give the entity \"renamedFrom\".",
     nullptr},
    {R"({"op": "update_entity", "entity": "prat", "set": {}})",
     "entity: There is no entity \"prat\". Did you mean \"part\"?", nullptr},
    {R"({"op": "remove_entity", "entity": "zebra"})", "entity: There is no entity \"zebra\".",
     nullptr},
    {R"({"op": "add_field", "entity": "part", "field": {"name": "g"}})",
     "field: The field \"g\" already exists.", nullptr},
    {R"({"op": "update_field", "entity": "part", "field": {"name": "zebra"}})",
     "field: There is no field \"zebra\".", nullptr},
    {R"({"op": "remove_field", "entity": "part", "field": "zebra"})",
     "field: There is no field \"zebra\".", nullptr},
    {R"({"op": "set_access", "entity": "part"})", "access: Is required.", nullptr},
    {R"({"op": "set_access", "entity": "part", "access": []})", "access: Must be an object.",
     nullptr},
    {R"({"op": "remove_query", "name": "q"})", "name: There is no query \"q\".", nullptr},
    {R"({"op": "add_page", "page": {"route": "/"}})", "page: There is a page at \"/\" already.",
     nullptr},
    {R"({"op": "edit_component", "name": "Card", "find": "b", "replace": ""})",
     "find: This text occurs more than once in the source of the component. Send more of the text "
     "around it.",
     nullptr},
    {R"({"op": "edit_component", "name": "Card", "find": "z", "replace": ""})",
     "find: This text does not occur in the source of the component.", nullptr},
    {R"({"op": "edit_component", "name": "Card", "find": "", "replace": ""})",
     "find: Must not be empty.", nullptr},
    {R"({"op": "adopt_table", "table": "Note"})",
     "table: Must be the name of a table in the schema public, and a valid name of an entity: "
     "[a-z][a-z0-9_]*, at most 48 bytes.",
     nullptr},
    {R"({"op": "adopt_table", "table": "part"})", "table: The entity \"part\" already exists.",
     nullptr},
    {R"({"op": "adopt_table", "table": "note"})", "table: The dev database has no table \"note\".",
     nullptr},
};

TEST(Patch, ChangesOnlyWhatEachOperationNames) {
    for (const Case& one : kCases) try {
            const std::string real = outcome(kContract, one.edit);
            ASSERT_NE(one.to, nullptr) << one.edit << "\n" << real;
            EXPECT_EQ(real, replaced(kContract, one.from, one.to)) << one.edit;
        } catch (const PatchError& refused) {
            EXPECT_EQ(one.to, nullptr) << one.edit;
            EXPECT_EQ(refused.member + ": " + refused.what(), one.from) << one.edit;
            EXPECT_EQ(refused.index, 0U);
        }
}

TEST(Patch, SeedsGoWithWhatTheySeed) {
    const std::string removed = outcome(kContract, R"({"op": "remove_entity", "entity": "part"})");
    EXPECT_NE(removed.find(R"("entities": [],)"), std::string::npos) << removed;
    EXPECT_NE(removed.find(R"("seeds": {})"), std::string::npos) << removed;
    const std::string less =
        outcome(kContract, R"({"op": "remove_field", "entity": "part", "field": "f"})");
    EXPECT_NE(less.find(R"([{"_key": "x", "g": "t"}, {}])"), std::string::npos) << less;
    const std::string renamed = outcome(
        kContract,
        R"({"op": "update_field", "entity": "part", "field": {"name": "h", "renamedFrom": "f"}})");
    EXPECT_NE(renamed.find(R"({"name": "h", "type": "number", "max": 1.50, "renamedFrom": "f"})"),
              std::string::npos)
        << renamed;
    EXPECT_NE(renamed.find(R"([{"_key": "x", "h": 1, "g": "t"}, {"h": 2}])"), std::string::npos);
}

TEST(Patch, SeedsThatAreNotSentStayUnchanged) {
    const std::string contract = R"({"entities": [{"name": "a", "fields": [{"name": "b"}]}],)"
                                 R"( "seeds": "UNCHANGED"})";
    EXPECT_EQ(outcome(contract, R"({"op": "remove_field", "entity": "a", "field": "b"})"),
              R"({"entities": [{"name": "a", "fields": []}], "seeds": "UNCHANGED"})");
    EXPECT_EQ(outcome(contract, R"({"op": "remove_entity", "entity": "a"})"),
              R"({"entities": [], "seeds": "UNCHANGED"})");
}

TEST(Patch, EachEditSeesWhatThoseBeforeItLeft) {
    PatchContext context;
    const std::vector<std::string_view> edits = {
        R"({"op": "add_entity", "entity": {"name": "note", "fields": []}})",
        R"({"op": "add_field", "entity": "note", "field": {"name": "b"}})",
        R"({"op": "remove_field", "entity": "note", "field": "b"})",
        R"({"op": "remove_field", "entity": "note", "field": "b"})"};
    try {
        patched(kContract, edits, context);
        ADD_FAILURE() << "not refused";
    } catch (const PatchError& refused) {
        EXPECT_EQ(refused.index, 3U);
    }
    EXPECT_EQ(patched(R"({"entities":[]})", {edits[0], edits[1]}, context),
              R"({"entities":[{"name": "note", "fields": [{"name": "b"}]}]})");
}

}  // namespace
}  // namespace svc::devapi::patch
