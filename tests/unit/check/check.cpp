#include <gtest/gtest.h>

#include "check/check.hpp"
#include "unit/model/contract.hpp"

namespace {

using svc::tests::codes;
using svc::tests::resolved;
using Codes = std::vector<std::string>;

// personas c (consumer), s and t (staff, t extends s); one entity of these members.
Codes warnings(const std::string& members) {
    return codes(svc::check::check(resolved(
        R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}, {"id": "s", "kind": "staff"},
            {"id": "t", "kind": "staff", "extends": ["s"]}], "entities": [{"name": "e", "fields": [], )" +
        members + "}]}")));
}

std::string with_lifecycle(const std::string& by) {
    return R"("access": {"read": ["c", "s"]}, "lifecycle": {"field": "state", "initial": "a", "states": ["a", "b"],
        "transitions": [{"name": "go", "from": "a", "to": "b", "by": )" +
           by + "}]}";
}

TEST(Check, IsSilentAboutSoundModels) {
    EXPECT_TRUE(codes(svc::check::check(resolved(svc::tests::kShop))).empty());
    EXPECT_TRUE(warnings(R"("access": {"read": "*"})").empty());
    EXPECT_TRUE(warnings(with_lifecycle(R"(["t"])")).empty());
    EXPECT_TRUE(warnings(with_lifecycle(R"("signed_in")")).empty());
}

TEST(Check, PersonasThatSeeNothing) {
    EXPECT_EQ(warnings(R"("access": {"read": ["s"]})"), Codes{"PERSONA_SEES_NOTHING"});
    EXPECT_EQ(warnings(R"("access": {"read": ["guest"]})"), Codes(3, "PERSONA_SEES_NOTHING"));
    EXPECT_EQ(warnings(R"("access": {"read": ["t", "consumer"]})"), Codes{"PERSONA_SEES_NOTHING"});
}

TEST(Check, TransitionsForNobody) {
    EXPECT_EQ(warnings(with_lifecycle("[]")), Codes{"TRANSITION_FOR_NOBODY"});
    EXPECT_EQ(warnings(with_lifecycle(R"(["guest"])")), Codes{"TRANSITION_FOR_NOBODY"});
}

// One entity with these fields and members, for guests too.
Codes of(const std::string& access, const std::string& fields = R"({"name": "a", "type": "string"},
         {"name": "n", "type": "integer"}, {"name": "done", "type": "boolean"})") {
    return codes(svc::check::check(resolved(
        R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}, {"id": "s", "kind": "staff"},
            {"id": "t", "kind": "staff", "extends": ["s"]}], "entities": [{"name": "e", "owner": "none", "fields": [)" +
        fields + R"(], "access": )" + access + "}]}")));
}

TEST(Check, GrantsThatAddNothing) {
    EXPECT_EQ(of(R"({"read": ["*", "s"]})"), Codes{"GRANT_ADDS_NOTHING"});
    EXPECT_EQ(of(R"({"read": [{"to": "*", "if": "n > 3"}, {"to": "c", "if": "n > 5"}]})"),
              Codes{"GRANT_ADDS_NOTHING"});
    EXPECT_TRUE(of(R"({"read": [{"to": "*", "if": "done"}, "s"]})").empty());
    EXPECT_TRUE(of(R"({"read": "*", "update": [{"to": "s", "fields": ["a"]}, "t"]})").empty());
}

TEST(Check, ConditionsThatDecideNothing) {
    EXPECT_EQ(of(R"({"read": ["c", "s", {"to": "guest", "if": "user.persona == 'c'"}]})"),
              Codes{"CONDITION_NEVER_TRUE"});
    EXPECT_EQ(of(R"({"read": ["c", "s"], "update": {"to": "t", "if": "user.persona == 't'"}})"),
              Codes{"CONDITION_ALWAYS_TRUE"});
    EXPECT_TRUE(of(R"({"read": ["c", {"to": "s", "if": "user.persona == 't' || done"}]})").empty());
}

TEST(Check, WritesToWhatIsNotRead) {
    EXPECT_EQ(
        of(R"({"read": ["c", {"to": "s", "if": "done"}], "delete": {"to": "s", "if": "!done"}})"),
        Codes{"WRITE_WITHOUT_READ"});
    EXPECT_TRUE(
        of(R"({"read": ["c", {"to": "s", "if": "done"}], "delete": {"to": "s", "if": "n > 3"}})")
            .empty());
    EXPECT_EQ(of(R"({"read": ["c", "s"], "deny": {"delete": "s"}})"), Codes{"DENY_NEVER_APPLIES"});
    EXPECT_TRUE(of(R"({"read": "*", "deny": {"read": {"to": "c", "if": "done"}}})").empty());
}

TEST(Check, RowsThatAreLookedUpByAnything) {
    const char* const kMine =
        R"({"read": ["s", {"to": "c", "if": "who == user.email"}], "create": {"to": "c", "if": "who == user.email"}})";
    EXPECT_EQ(of(kMine, R"({"name": "who", "type": "email"})"), Codes{"POLICY_WITHOUT_INDEX"});
    EXPECT_TRUE(of(kMine, R"({"name": "who", "type": "email", "index": true})").empty());
    EXPECT_TRUE(
        of(R"({"read": "*"})", R"({"name": "who", "type": "email", "read": ["s"]})").empty());
}

TEST(Check, RowsThatNoIndexFinds) {
    const auto of_model = [](const std::string& condition, const char* index = "false") {
        return codes(svc::check::check(resolved(
            R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}], "auth": {"verifyEmail": true}, "orgs": {"enabled": true},
                "entities": [{"name": "thing", "owner": "none", "access": {"read": "signed_in"},
                  "fields": [{"name": "mail", "type": "email", "index": )" +
            std::string(index) + R"(}, {"name": "holder", "type": "user"}]},
                {"name": "e", "owner": "org", "fields": [{"name": "team", "type": "uuid", "index": )" +
            index + R"(}, {"name": "mail", "type": "email", "index": )" + index +
            R"(}, {"name": "watchers", "type": "tags"}, {"name": "thing_id", "type": "ref", "to": "thing"}],
                 "access": {"read": {"to": "c", "if": ")" +
            condition + R"("}}}]})")));
    };
    const Codes unserved{"POLICY_WITHOUT_INDEX"};
    for (const char* plain : {"team == user.org", "member(team)", "member(team, 'owner')",
                              "mail == lower(user.email)", "thing.mail == user.email"}) {
        EXPECT_EQ(of_model(plain), unserved) << plain;
        EXPECT_TRUE(of_model(plain, "true").empty()) << plain;
    }
    for (const char* never : {"lower(mail) == user.email", "user.email in watchers"}) {
        EXPECT_EQ(of_model(never), unserved) << never;
        EXPECT_EQ(of_model(never, "true"), unserved) << never;
    }
    for (const char* served : {"member(org_id)", "thing.holder == user.id",
                               "lower(mail) == user.email && member(org_id, 'owner')"}) {
        EXPECT_TRUE(of_model(served).empty()) << served;
    }
}

TEST(Check, FieldsThatSayWhoseTheRowIs) {
    const char* const kFrom = R"({"name": "from", "type": "user"}, {"name": "to", "type": "user"})";
    const std::string read =
        R"({"read": ["s", {"to": "c", "if": "from == user.id || to == user.id"}], "create": )";
    EXPECT_EQ(of(read + R"("c"})", kFrom), Codes{"FIELD_TRUSTED"});
    EXPECT_TRUE(of(read + R"({"to": "c", "if": "from == user.id"}})", kFrom).empty());
    EXPECT_TRUE(of(read + R"("s"})", kFrom).empty());
}

// A mark that the caller may set themselves holds them back from nothing.
std::string marked(const std::string& condition, const std::string& update = "user_id == user.id",
                   const std::string& create = R"("c")") {
    return R"("owner": "user", "access": {"read": [{"to": "c", "if": "user_id == user.id"}, "s"], "create": )" +
           create + R"(, "update": [{"to": "c", "if": ")" + update +
           R"("}, "s"]}, "lifecycle": {"field": "state", "initial": "a", "states": ["a", "b"],
        "transitions": [{"name": "go", "from": "a", "to": "b", "by": ["c"], "if": ")" +
           condition + R"("}]})";
}

Codes of_marked(const std::string& members, const std::string& fields) {
    return codes(svc::check::check(resolved(
        R"({"app": {"name": "A"}, "personas": [{"id": "c", "kind": "consumer"}, {"id": "s", "kind": "staff"}],
            "entities": [{"name": "thing", "owner": "none", "fields": [{"name": "price", "type": "money"}],
                          "access": {"read": "*", "create": "s"}},
                         {"name": "e", "fields": [)" +
        fields + "], " + members + "}]}")));
}

TEST(Check, MarksThatTheirReaderSets) {
    const char* const kPaid = R"({"name": "paid", "type": "boolean", "default": false})";
    const char* const kClosed = R"({"name": "paid", "type": "boolean", "write": ["s"]})";
    const Codes trusted{"FIELD_TRUSTED"};
    EXPECT_EQ(of_marked(marked("paid == true"), kPaid), trusted);
    EXPECT_EQ(of_marked(marked("paid"), R"({"name": "paid", "type": "boolean"})"), trusted);
    EXPECT_TRUE(of_marked(marked("paid"), kClosed).empty());
    // An update that needs the mark cannot set it; a create can.
    EXPECT_EQ(of_marked(marked("price_known", "user_id == user.id && price_known"),
                        R"({"name": "price_known", "type": "boolean"})"),
              trusted);
    EXPECT_TRUE(
        of_marked(marked("paid", "user_id == user.id && paid", R"({"to": "c", "if": "!paid"})"),
                  kPaid)
            .empty());
}

TEST(Check, ContentIsNoMark) {
    EXPECT_TRUE(of_marked(marked("title != null && n > 0"),
                          R"({"name": "title", "type": "text"}, {"name": "n", "type": "integer"})")
                    .empty());
    const char* const kStep =
        R"({"name": "step", "type": "enum", "values": ["draft", "sent"], "default": "draft"})";
    EXPECT_TRUE(of_marked(marked("step == 'draft'", "user_id == user.id && step != 'sent'"), kStep)
                    .empty());
    EXPECT_EQ(of_marked(marked("step == 'sent'"), kStep), Codes{"FIELD_TRUSTED"});
    EXPECT_TRUE(
        of_marked(
            marked("kind == 'gift'"),
            R"({"name": "kind", "type": "enum", "values": ["gift", "own"], "required": true})")
            .empty());
}

TEST(Check, LimitsThatWhoeverIsLimitedSets) {
    const auto rule = [](const std::string& refuse) {
        return of_marked(
            R"("access": {"read": ["c", "s"], "create": "c"}, "rules": [{"on": "create", "refuse": ")" +
                refuse + R"(", "message": "No."}])",
            R"({"name": "qty", "type": "integer"}, {"name": "credit", "type": "money"},
               {"name": "thing_id", "type": "ref", "to": "thing"})");
    };
    EXPECT_EQ(rule("new.qty * new.thing.price > new.credit"), Codes{"FIELD_TRUSTED"});
    EXPECT_EQ(rule("!(new.credit >= new.qty * new.thing.price)"), Codes{"FIELD_TRUSTED"});
    EXPECT_TRUE(rule("new.qty > new.thing.price").empty());
    EXPECT_TRUE(rule("new.qty < new.credit").empty());
    EXPECT_TRUE(rule("new.credit > new.qty * new.thing.price").empty());
}

}  // namespace
