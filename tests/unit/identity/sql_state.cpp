#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/sql_state.hpp"
#include "identity/sql_state.hpp"
#include "paths.hpp"
#include "unit/app_database.hpp"

namespace svc::identity {
namespace {

namespace sqlstate = base::sqlstate;

TEST(SqlState, WhoLostAgainstAnotherTransactionMayTryAgain) {
    for (const auto state : {sqlstate::kNotSerializable, sqlstate::kDeadlock, sqlstate::kLocked}) {
        EXPECT_TRUE(sqlstate::is_busy(state)) << state;
        const SqlStateMeaning* meaning = meaning_of(state);
        ASSERT_TRUE(meaning) << state;
        EXPECT_TRUE(meaning->passing) << state;
        EXPECT_TRUE(!sqlstate::is_of_value(state) && !sqlstate::is_lost(state)) << state;
    }
    for (const auto state : {sqlstate::kTaken, sqlstate::kCanceled, sqlstate::kForbidden})
        EXPECT_FALSE(sqlstate::is_busy(state)) << state;
}

TEST(SqlState, ALostConnectionHasNoCodeOfItsOwn) {
    for (const char* state : {"08001", "08006", "53300", "57P01", "57P03"}) {
        EXPECT_TRUE(sqlstate::is_lost(state)) << state;
        EXPECT_TRUE(sqlstate::is_of_machine(state)) << state;
        EXPECT_EQ(meaning_of(state), nullptr) << state;
    }
    for (const char* state : {"", "53200", "57014", "22P02", "SV401"})
        EXPECT_FALSE(sqlstate::is_lost(state)) << state;
}

// A scheduled time is kept until its start passes, and a run that cannot end is tried again.
TEST(SqlState, WhatMayGoWellLaterPasses) {
    for (const char* state : {"53000", "53100", "53200", "53300", "58000", "58030", "58P01",
                              "40001", "40P01", "55P03", "08006", "57P01"})
        EXPECT_TRUE(sqlstate::is_passing(state)) << state;
    for (const char* state :
         {"", "53400", "57014", "42501", "42703", "22012", "23505", "SV404", "XX000"})
        EXPECT_FALSE(sqlstate::is_passing(state)) << state;
}

TEST(SqlState, SaysWhoCanMendIt) {
    struct Case {
        const char* state;
        bool of_value, of_statement, of_machine;
    };
    const Case cases[] = {
        {"", false, false, true},       {"21000", true, false, false},
        {"22P02", true, false, false},  {"23502", true, false, false},
        {"23514", true, false, false},  {"23505", false, false, false},
        {"42703", true, true, false},   {"42601", false, true, false},
        {"42501", false, true, true},   {"53200", false, true, true},
        {"53100", false, false, true},  {"54001", true, false, false},
        {"55000", false, true, true},   {"55P03", false, false, true},
        {"57014", false, true, true},   {"XX000", false, false, true},
        {"SV422", false, false, false},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(sqlstate::is_of_value(one.state), one.of_value) << one.state;
        EXPECT_EQ(sqlstate::is_of_statement(one.state), one.of_statement) << one.state;
        EXPECT_EQ(sqlstate::is_of_machine(one.state), one.of_machine) << one.state;
    }
}

std::string text_of(const std::filesystem::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::set<std::string> found_in(const std::string& text, const char* pattern) {
    std::set<std::string> out;
    const std::regex wanted(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at)
        out.insert((*at)[1]);
    return out;
}

// What the functions of svc raise, in runtime-support/schema.
std::set<std::string> raised_by_schema() {
    std::set<std::string> out;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(SVC_SOURCE_DIR "/runtime-support/schema"))
        if (file.is_regular_file())
            out.merge(found_in(text_of(file.path()), "errcode = '(SV[A-Z0-9]{3})'"));
    return out;
}

std::set<std::string> states_with_a_name() {
    return found_in(text_of(SVC_SOURCE_DIR "/runtime-support/base/sql_state.hpp"),
                    "= \"([A-Z0-9]{5})\";");
}

TEST(SqlState, WhatTheSchemaRaisesHasACode) {
    // Signals to the server, which answers something else; the code of SVNAO depends on the route;
    // SVGON ends a run.
    const std::set<std::string> without = {"SV208", "SV303", "SVNAO", "SVGON"};
    const std::set<std::string> raised = raised_by_schema();
    ASSERT_GT(raised.size(), 10u);
    for (const std::string& state : raised)
        EXPECT_EQ(meaning_of(state) == nullptr, without.contains(state)) << state;
}

TEST(SqlState, WhatTheSchemaRaisesHasAName) {
    const std::set<std::string> named = states_with_a_name();
    for (const std::string& state : raised_by_schema()) EXPECT_TRUE(named.contains(state)) << state;
}

// A run shows the codes that a caller would get, by a table of the database's own.
TEST(SqlState, RunsShowTheSameCodes) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    // The database is at fault, which a caller cannot mend and an operator has to; and what no run
    // meets: the end of a session, a kept cursor, an Idempotency-Key.
    const std::set<std::string> as_they_are = {"42P10", "53200", "53400", "55P03",
                                               "SV401", "SV410", "SV425"};
    // Both tables say why.
    const std::map<std::string, std::string> only_in_runs = {
        {"42703", "CONTRACT_CHANGED"}, {"42P01", "CONTRACT_CHANGED"}, {"42804", "CONTRACT_CHANGED"},
        {"42883", "CONTRACT_CHANGED"}, {"SV404", "CONTRACT_CHANGED"}, {"57014", "TIMEOUT"},
        {"SVGON", "ACTOR_GONE"},       {"SVBIG", "TOO_LARGE"},        {"SVDEP", "CALL_DEPTH"}};
    const std::set<std::string> all = states_with_a_name();
    ASSERT_GT(all.size(), 50u);
    for (const std::string& state : all) {
        std::string expected = state;
        const SqlStateMeaning* meaning = meaning_of(state);
        if (meaning && !as_they_are.contains(state)) expected = name(meaning->code);
        if (const auto own = only_in_runs.find(state); own != only_in_runs.end())
            expected = own->second;
        EXPECT_EQ(database.sql("select svc.error_name('" + state + "')"), expected) << state;
    }
}

}  // namespace
}  // namespace svc::identity
