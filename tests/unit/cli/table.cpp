#include "cli/table.hpp"

#include <gtest/gtest.h>

#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

const std::string kId(36, 'a');

TEST(CliTable, AlignsColumnsAndNumbers) {
    const Table table{{"name", "price"}, {{"Tea", "650"}, {"Grüner Tee", "7"}}, {false, true}};
    EXPECT_EQ(layout(table, 0), "name        price\nTea           650\nGrüner Tee      7\n");
}

TEST(CliTable, CutsTheWidestColumnAndNeverAnId) {
    const Table table{{"id", "text"}, {{kId, std::string(60, 'x')}}, {}};
    const std::string shown = layout(table, 60);
    EXPECT_NE(shown.find(kId), std::string::npos);
    EXPECT_NE(shown.find("x…\n"), std::string::npos);
    EXPECT_EQ(shown_width(shown.substr(shown.find('\n') + 1)), 61U);  // with the line's end
}

TEST(CliTable, ShowsBlocksWhereColumnsDoNotFit) {
    const Table table{{"id", "text"}, {{kId, "some longer text"}}, {}};
    EXPECT_EQ(layout(table, 40), "id    " + std::string(33, 'a') + "…\ntext  some longer text\n");
}

}  // namespace
}  // namespace svc::cli
