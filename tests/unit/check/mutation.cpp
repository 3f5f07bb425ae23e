// Mutation of access: whatever one line of a sample's access becomes, the difference of exposure
// names the entity, the operation and who it is about.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/exposure/exposure_diff.hpp"
#include "pipeline.hpp"
#include "unit/check/contracts.hpp"
#include "unit/check/mutants.hpp"
#include "unit/sample_text.hpp"

namespace {

using svc::check::Direction;
using svc::check::ExposureChange;
using svc::check::ExposureDiff;
using svc::tests::Json;
using svc::tests::Mutant;

std::string sample(const std::string& name) {
    return name == "desk" ? svc::tests::kDesk : svc::tests::sample_text(name);
}

// Mutants that mean what the sample means: whoever else is named now has no rows of their own
// there, reads none of the rows, or reads all of them anyway; what is not read is not written
// either, so a condition of `read` holds for writes too; or nobody sends the field to begin with.
const std::map<std::string, std::set<std::string>> kSame = {
    // A caller who may not read a row may not change it, and a guest has no id.
    {"hello",
     {"reading: read of member: to everybody", "reading: update of member: to everybody",
      "reading: delete of member: to everybody", "reading: update of member: condition dropped",
      "reading: delete of member: condition dropped", "reading: update of server: to everybody",
      "reading: delete of server: to everybody", "reading: update open", "reading: delete open"}},
    {"shop",
     {"order: read of customer: to everybody", "order.number: write for nobody",
      "order: transition cancel by everybody"}},
    {"clinic",
     {"room: update of manager: condition dropped", "room: update of org:admin: condition dropped",
      "room: delete: condition dropped", "doctor: update of manager: condition dropped",
      "patient: update of patient: to everybody", "patient: update of patient: condition dropped",
      "patient: update of staff: condition dropped", "patient: deny update dropped",
      "patient.file_number: write for nobody", "appointment: update of staff: condition dropped",
      "appointment: update of patient: to everybody",
      "visit_note.appointment_id: immutable dropped", "invoice.number: write for nobody",
      "invoice.due_at: write for another", "invoice: transition send by everybody"}},
};

// True if the change is about this persona. A group is about all its members.
bool concerns(const ExposureChange& change, const std::string& persona,
              const svc::check::Exposure& exposure) {
    for (const svc::check::Caller& caller : exposure.callers) {
        if (caller.name != change.caller) continue;
        const bool extends = std::count(caller.extends.begin(), caller.extends.end(), persona) > 0;
        const bool signed_in = caller.kind != svc::check::Caller::Kind::guest &&
                               caller.kind != svc::check::Caller::Kind::server;
        return caller.name == persona || svc::base::word(caller.kind) == persona || extends ||
               persona == "*" || (persona == "signed_in" && signed_in);
    }
    return false;
}

bool names_field(const ExposureChange& change, const std::string& field) {
    for (const auto* list : {&change.fields_more, &change.fields_less, &change.fields_other}) {
        if (std::count(list->begin(), list->end(), field) > 0) return true;
    }
    return false;
}

bool describes(const ExposureDiff& diff, const Mutant& mutant,
               const svc::check::Exposure& exposure) {
    return std::any_of(diff.changes.begin(), diff.changes.end(), [&](const ExposureChange& change) {
        const auto& operations = mutant.operations;
        return (mutant.entity.empty() || change.entity == mutant.entity) &&
               (operations.empty() ||
                std::count(operations.begin(), operations.end(), change.operation.words()) > 0) &&
               (mutant.persona.empty() || concerns(change, mutant.persona, exposure) ||
                (change.operation.act == svc::check::Act::sign_up &&
                 change.entity == mutant.persona)) &&
               (mutant.field.empty() || names_field(change, mutant.field)) &&
               change.message.find(change.caller) == 0 &&
               change.message.find(change.entity) != std::string::npos;
    });
}

// Back again is the other way round. Only an account that is seeded no more keeps what it has.
bool mirrors(const ExposureDiff& there, const ExposureDiff& back) {
    const auto is_new = [](const ExposureChange& change) {
        return change.operation.act == svc::check::Act::seed && change.before == "nothing";
    };
    if (std::any_of(there.changes.begin(), there.changes.end(), is_new)) {
        return there.changes.size() == 1 && back.changes.empty();
    }
    return there.changes.size() == back.changes.size() &&
           there.count(Direction::widened) == back.count(Direction::narrowed) &&
           there.count(Direction::narrowed) == back.count(Direction::widened);
}

// Strangers and their rights come first.
TEST(AccountExposure, IsToldInWords) {
    const auto with = [](const std::string& auth, const std::string& clerk,
                         const std::string& seeds) {
        return svc::pipeline::check(
                   R"({"app": {"name": "A"}, "auth": {"signup": ")" + auth +
                   R"("}, "personas": [{"id": "customer", "kind": "consumer", "signup": true},
                    {"id": "clerk", "kind": "staff")" +
                   clerk + R"(}], "entities": [], "seeds": {"@users": [)" + seeds + "]}}")
            .exposure;
    };
    const auto described = [](const auto& before, const auto& after) {
        return svc::check::sentences(svc::check::compare(before, after));
    };
    using Lines = std::vector<std::string>;
    const auto closed = with("disabled", R"(, "mfa": "required")", "");
    const auto open = with("open", R"(, "signup": true)",
                           R"({"email": "eve@example.test", "persona": "clerk", "isAdmin": true})");
    EXPECT_EQ(described(closed, open),
              (Lines{"widened: guest may now sign up as customer (before: may not).",
                     "widened: guest may now sign up as clerk (before: may not).",
                     "widened: clerk may now do without a second factor.",
                     "widened: eve@example.test is now seeded as clerk (staff), administrator "
                     "(before: nothing)."}));
    EXPECT_EQ(described(open, closed),
              (Lines{"narrowed: guest may no longer sign up as customer (before: may).",
                     "narrowed: guest may no longer sign up as clerk (before: may).",
                     "narrowed: clerk must have a second factor."}));
    // Seeds that stay as they are say nothing, and the document that everybody may read says none.
    EXPECT_TRUE(described(open, open).empty());
    EXPECT_EQ(svc::check::json_text(open).find("eve@"), std::string::npos);
    EXPECT_NE(svc::check::matrix_text(open).find("eve@"), std::string::npos);
    EXPECT_NE(svc::check::table_text(open).find("eve@example.test  seeded"), std::string::npos);
}

class AccessMutation : public testing::TestWithParam<std::string> {};

TEST_P(AccessMutation, IsNamedEachTime) {
    const std::string text = sample(GetParam());
    const auto original = svc::pipeline::check(text);
    ASSERT_TRUE(original.plan);
    const auto same = kSame.find(GetParam());
    std::size_t compiled = 0;
    for (const Mutant& mutant : svc::tests::mutants(Json::parse(text))) {
        const auto checked = svc::pipeline::check(mutant.contract);
        if (!checked.plan) {
            EXPECT_TRUE(checked.findings.has_errors()) << mutant.name;
            continue;
        }
        ++compiled;
        const auto diff = svc::check::compare(original.exposure, checked.exposure);
        const bool described = describes(diff, mutant, original.exposure);
        const bool means_the_same = same != kSame.end() && same->second.count(mutant.name) > 0;
        EXPECT_EQ(described, !means_the_same) << mutant.name << "\n" << svc::check::json_text(diff);
        EXPECT_TRUE(mirrors(diff, svc::check::compare(checked.exposure, original.exposure)))
            << mutant.name;
    }
    EXPECT_GT(compiled, 5U);
}

TEST_P(AccessMutation, NothingChangesNothing) {
    const std::string text = sample(GetParam());
    const auto one = svc::pipeline::check(text);
    const auto two = svc::pipeline::check(Json::parse(text).dump());
    EXPECT_TRUE(svc::check::compare(one.exposure, two.exposure).changes.empty());
    EXPECT_EQ(svc::check::json_text(one.exposure), svc::check::json_text(two.exposure));
}

INSTANTIATE_TEST_SUITE_P(Samples, AccessMutation,
                         testing::Values("hello", "shop", "clinic", "desk"),
                         [](const auto& info) { return info.param; });

}  // namespace
