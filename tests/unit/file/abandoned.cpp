// Temporary files that nobody holds any more.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "file/disk/abandoned.hpp"
#include "file/disk/upload_file.hpp"

namespace svc::file {
namespace {

using namespace std::chrono_literals;

const std::string kId = "11111111-1111-4111-8111-111111111111";

class AbandonedParts : public testing::Test {
  protected:
    void SetUp() override {
        std::string folder = testing::TempDir() + "svc-parts-XXXXXX";
        ASSERT_NE(::mkdtemp(folder.data()), nullptr);
        root_ = folder;
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    std::string root_;
};

TEST_F(AbandonedParts, AreThoseThatNobodyHolds) {
    auto part = std::make_shared<Part>(root_, kId);
    part->append("bytes");
    make_upload(root_, kId);
    EXPECT_TRUE(left_parts(root_).free.empty());
    const std::string name = part->name();
    part->leave_name();
    EXPECT_TRUE(left_parts(root_).free.empty());
    part.reset();
    EXPECT_EQ(left_parts(root_).free, std::vector{name});
    EXPECT_TRUE(left_parts(root_).old.empty());
    EXPECT_EQ(std::filesystem::file_size(part_path(root_, name)), 0U);
}

TEST_F(AbandonedParts, OfAnUploadThatIsStoredAreHeld) {
    make_upload(root_, kId);
    auto taken = Part::of_upload(root_, kId, nullptr);
    ASSERT_TRUE(taken.part);
    EXPECT_TRUE(left_parts(root_).free.empty());
    taken.part.reset();
    ASSERT_EQ(left_parts(root_).free.size(), 1U);
    // It is given up: its name stays, for the store.
    const std::string name = left_parts(root_).free.front();
    EXPECT_TRUE(remove_unfinished(root_, name));
    EXPECT_EQ(left_parts(root_).free, std::vector{name});
}

TEST_F(AbandonedParts, OfADayAgoAreOldWhoeverHoldsThem) {
    Part part(root_, kId);
    std::filesystem::last_write_time(part_path(root_, part.name()),
                                     std::filesystem::file_time_type::clock::now() - 25h);
    EXPECT_EQ(left_parts(root_).old, std::vector{part.name()});
    EXPECT_TRUE(left_parts(root_).free.empty());
}

TEST(Abandoned, IsWhatWasFreeForAWhile) {
    Abandoned abandoned;
    const Abandoned::Clock::time_point from{};
    const std::vector<std::string> none, one{"one"}, both{"one", "two"};
    EXPECT_EQ(abandoned.among(one, from), none);
    EXPECT_EQ(abandoned.among(both, from + 5min), none);
    EXPECT_EQ(abandoned.among(both, from + 10min), one);
    EXPECT_EQ(abandoned.among(both, from + 15min), both);
    // Somebody had it meanwhile.
    EXPECT_EQ(abandoned.among(one, from + 20min), one);
    EXPECT_EQ(abandoned.among(both, from + 25min), one);
}

}  // namespace
}  // namespace svc::file
