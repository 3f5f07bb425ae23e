#include "migrate/system_sql.hpp"

#include <gtest/gtest.h>

namespace svc::migrate {
namespace {

// A file that is listed and not compiled in would be left out of every database.
TEST(SystemSql, EveryListedFileIsCompiledIn) {
    for (const char* file : kSystemFiles) EXPECT_FALSE(embedded(file).empty()) << file;
    EXPECT_FALSE(embedded("as.sql").empty());
}

}  // namespace
}  // namespace svc::migrate
