#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/parts.hpp"
#include "base/read_file.hpp"
#include "base/time/utc.hpp"

namespace svc::base {
namespace {

namespace fs = std::filesystem;

TEST(BaseParts, JoinsAndSplits) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(joined(Texts{}), "");
    EXPECT_EQ(joined(Texts{"a"}), "a");
    EXPECT_EQ(joined(Texts{"a", "", "c"}, "|"), "a||c");
    using Views = std::vector<std::string_view>;
    EXPECT_EQ(split("", ','), Views{""});
    EXPECT_EQ(split("a", ','), Views{"a"});
    EXPECT_EQ(split(",a,", ','), (Views{"", "a", ""}));
    EXPECT_EQ(joined(split("a,b,c", ','), ","), "a,b,c");
}

TEST(BaseUtc, PrintsMoments) {
    constexpr std::int64_t kMoment = 1'795'786'620;  // 2026-11-27T13:37:00Z
    EXPECT_EQ(utc_seconds(kMoment), "2026-11-27T13:37:00");
    EXPECT_EQ(utc_compact(kMoment), "20261127T133700Z");
    EXPECT_EQ(utc_millis(kMoment * 1'000'000 + 7'999), "2026-11-27T13:37:00.007Z");
    EXPECT_EQ(utc_millis(0), "1970-01-01T00:00:00.000Z");
}

TEST(BaseReadFile, TellsAnEmptyFileFromNone) {
    const fs::path folder = fs::path(testing::TempDir()) / "svc_base_read_file";
    fs::create_directories(folder);
    const std::string bytes("a\0\r\nb", 5);
    std::ofstream(folder / "some", std::ios::binary) << bytes;
    std::ofstream(folder / "empty", std::ios::binary).close();
    EXPECT_EQ(read_file(folder / "some"), bytes);
    EXPECT_EQ(read_file(folder / "empty"), "");
    EXPECT_EQ(read_file(folder / "missing"), std::nullopt);
    EXPECT_EQ(read_file(folder), std::nullopt);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace svc::base
