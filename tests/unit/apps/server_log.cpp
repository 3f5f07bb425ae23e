#include "common/server_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace svc::devapi {
namespace {

class AppsServerLog : public testing::Test {
  protected:
    void TearDown() override {
        std::filesystem::remove(path_);
        std::filesystem::remove(path_ + ".1");
    }
    void write(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }

    const std::string path_ =
        std::filesystem::temp_directory_path() / ("svc_server_log_" + std::to_string(::getpid()));
};

TEST_F(AppsServerLog, TailIsWhatThisStartWrote) {
    write("of an earlier start\n");
    const auto from = log_size(path_);
    EXPECT_EQ(log_tail(path_, from), "");
    write("one\ntwo\n");
    EXPECT_EQ(log_tail(path_, from), "one\ntwo");
}

TEST_F(AppsServerLog, TailIsBounded) {
    for (int line = 1; line <= 100; ++line) write(std::to_string(line) + "\n");
    const std::string tail = log_tail(path_, 0);
    EXPECT_EQ(tail.substr(0, 3), "81\n");
    EXPECT_TRUE(tail.ends_with("100"));
    write(std::string(100000, 'x'));
    EXPECT_LE(log_tail(path_, 0).size(), 4096u);
}

TEST_F(AppsServerLog, TrimsInPlaceForWhoHasItOpen) {
    const int fd = open_log(path_);
    write(std::string(5 << 20, 'x'));
    trim_log(path_);
    EXPECT_EQ(log_size(path_), 0u);
    EXPECT_EQ(log_size(path_ + ".1"), 1u << 20);
    ASSERT_EQ(::write(fd, "after\n", 6), 6);
    ::close(fd);
    EXPECT_EQ(log_tail(path_, 12345), "after");
}

TEST_F(AppsServerLog, AMissingFileIsEmpty) {
    EXPECT_EQ(log_tail(path_, 10), "");
    trim_log(path_);
}

}  // namespace
}  // namespace svc::devapi
