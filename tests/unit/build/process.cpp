#include "build/process.hpp"

#include <gtest/gtest.h>

namespace svc::build {
namespace {

Ended shell(const std::string& script, unsigned seconds = 10) {
    return run({{"/bin/sh", "-c", script}, testing::TempDir(), 512, seconds});
}

TEST(Process, gives_output_and_success) {
    const Ended ended = shell("echo out; echo err >&2");
    EXPECT_TRUE(ended.ok);
    EXPECT_EQ(ended.output, "out\nerr\n");
    EXPECT_FALSE(shell("exit 3").ok);
    EXPECT_EQ(shell("kill -9 $$").signal, 9);
}

TEST(Process, sees_nothing_of_ours) {
    setenv("SVC_SECRET", "x", 1);
    EXPECT_EQ(shell("env | grep -c SVC_SECRET").output, "0\n");
    unsetenv("SVC_SECRET");
    EXPECT_EQ(shell("cat").output, "");
    EXPECT_EQ(shell("ls /proc/self/fd | wc -l").output, "4\n");  // three and that of ls itself
}

TEST(Process, is_stopped_with_all_that_it_started) {
    const Ended ended = shell("sleep 30 & sleep 30", 1);
    EXPECT_TRUE(ended.timed_out);
    EXPECT_FALSE(ended.ok);
}

TEST(Process, keeps_the_beginning_of_long_output) {
    const Ended ended = shell("yes | head -c 1000000");
    EXPECT_TRUE(ended.ok);
    EXPECT_EQ(ended.output.size(), kMaxOutput);
}

TEST(Process, says_so_when_there_is_no_such_program) {
    EXPECT_FALSE(run({{"/nowhere"}, testing::TempDir(), 512, 5}).ok);
}

}  // namespace
}  // namespace svc::build
