// What callers read where a reference between rows is refused.
#include "data/db_error.hpp"

#include <gtest/gtest.h>

namespace svc::data {
namespace {

db::Outcome broken_reference(const std::string& detail) {
    db::Outcome out;
    db::SqlError& error = out.make_error();
    error.sqlstate = "23503";
    error.table = "loan_line";
    error.constraint = "loan_line_book_id_fkey";
    error.detail = detail;
    return out;
}

// Calls of functions know no entity.
const Entity kNoEntityKnown{};

TEST(DbError, NamesTheFieldThatNamesNoRow) {
    for (const char* detail : {"Key (book_id)=(1) is not present in table \"book\".",
                               "Key is not present in table \"book\"."}) {
        const Error error = to_error(broken_reference(detail), kNoEntityKnown);
        EXPECT_EQ(error.code, Code::conflict);
        EXPECT_EQ(error.message, "book_id: there is no book with this id.");
        EXPECT_EQ(error.field, "book_id");
    }
}

TEST(DbError, SaysWhichRowsPreventADelete) {
    const char* detail = "Key (id)=(1) is still referenced from table \"loan_line\".";
    const Error error = to_error(broken_reference(detail), kNoEntityKnown);
    EXPECT_EQ(error.message, "Rows of loan_line refer to this one.");
    EXPECT_EQ(error.field, "");
}

TEST(DbError, KeepsTheWordsOfTheGuardOfFiles) {
    db::Outcome outcome = broken_reference("");
    outcome.make_error().column = "cover";
    outcome.make_error().constraint = "loan_line_cover";
    outcome.make_error().message = "cover: you have uploaded no file with this id.";
    const Error error = to_error(outcome, kNoEntityKnown);
    EXPECT_EQ(error.message, "cover: you have uploaded no file with this id.");
    EXPECT_EQ(error.field, "cover");
}

}  // namespace
}  // namespace svc::data
