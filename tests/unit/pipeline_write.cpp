#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "pipeline.hpp"

namespace svc::pipeline {
namespace {

namespace fs = std::filesystem;

class WriteTest : public testing::Test {
  protected:
    void SetUp() override { TearDown(); }
    void TearDown() override { fs::remove_all(folder_); }

    std::string read(const std::string& path) const {
        std::ifstream file(folder_ + "/" + path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    std::string folder_ = testing::TempDir() + "svc-write-" + std::to_string(getpid());
};

TEST_F(WriteTest, writes_files_and_their_manifest) {
    write({{"a.cpp", "a"}, {"sub/b.cpp", "b"}}, folder_);
    EXPECT_EQ(read("sub/b.cpp"), "b");
    EXPECT_NE(read("manifest.json")
                  .find("\"a.cpp\": \"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72"
                        "b9807785afee48bb\""),
              std::string::npos);
}

TEST_F(WriteTest, leaves_what_did_not_change_and_removes_what_is_no_more) {
    write({{"a.cpp", "a"}, {"sub/b.cpp", "b"}}, folder_);
    std::ofstream(folder_ + "/mine.txt") << "mine";
    const auto before = fs::last_write_time(folder_ + "/a.cpp");
    write({{"a.cpp", "a"}, {"c.cpp", "c"}}, folder_);
    EXPECT_EQ(fs::last_write_time(folder_ + "/a.cpp"), before);
    EXPECT_FALSE(fs::exists(folder_ + "/sub"));
    EXPECT_EQ(read("mine.txt"), "mine");
    EXPECT_EQ(read("c.cpp"), "c");
}

TEST_F(WriteTest, tells_what_was_edited_from_what_was_half_written) {
    write({{"a.cpp", "a"}, {"b.cpp", "b"}}, folder_);
    EXPECT_TRUE(hand_edited(folder_).empty());
    const std::string before = read("manifest.json");
    write({{"a.cpp", "a2"}, {"b.cpp", "b2"}}, folder_);
    const std::string after = read("manifest.json");
    // The state after a kill: a.cpp is written, b.cpp is not, the manifest names both.
    std::ofstream(folder_ + "/manifest.json")
        << before.substr(0, before.rfind('}')) << ", \"writing\"" << after.substr(after.find(':'));
    std::ofstream(folder_ + "/b.cpp") << "b";
    EXPECT_TRUE(hand_edited(folder_).empty());
    std::ofstream(folder_ + "/b.cpp") << "mine";
    EXPECT_EQ(hand_edited(folder_), std::vector<std::string>{"b.cpp"});
    write({{"a.cpp", "a2"}, {"b.cpp", "b2"}}, folder_);
    EXPECT_EQ(read("b.cpp"), "b2");
    EXPECT_EQ(read("manifest.json"), after);
    EXPECT_FALSE(fs::exists(folder_ + "/.writing"));
}

TEST_F(WriteTest, stays_in_its_folder) {
    for (const char* path : {"../out.cpp", "/out.cpp", "a/../../out.cpp", "", "./a.cpp", "a//b.cpp",
                             "manifest.json"}) {
        EXPECT_THROW(write({{path, "x"}}, folder_), std::system_error) << path;
    }
    write({{"a.cpp", "a"}}, folder_);
    const std::string outside = folder_ + "-outside";
    std::ofstream(outside) << "kept";
    std::ofstream(folder_ + "/manifest.json")
        << R"({"files": {"../)" + fs::path(outside).filename().string() + R"(": ""}})";
    write({{"a.cpp", "a"}}, folder_);
    EXPECT_TRUE(fs::exists(outside));
    fs::remove(outside);
}

}  // namespace
}  // namespace svc::pipeline
