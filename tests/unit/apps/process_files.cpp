#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "apps/process/process_files.hpp"

namespace svc::devapi {
namespace {

TEST(ProcessFiles, OfAProcessThatRuns) {
    EXPECT_NE(process_file(::getpid(), "cmdline").find("svc_unit_tests"), std::string::npos);
    EXPECT_TRUE(executable_of(::getpid()).ends_with("svc_unit_tests"));
}

TEST(ProcessFiles, OfOneThatIsGone) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(0);
    ::waitpid(pid, nullptr, 0);
    EXPECT_EQ(process_file(pid, "cmdline"), "");
    EXPECT_EQ(executable_of(pid), "");
}

// Read over and over while it ends, so that some reading falls between its files' opening and end.
TEST(ProcessFiles, OfOneThatEndsWhileItIsRead) {
    for (int round = 0; round < 200; ++round) {
        const pid_t pid = ::fork();
        if (pid == 0) ::_exit(0);
        std::atomic<bool> gone = false;
        std::thread reaper([&] {
            ::waitpid(pid, nullptr, 0);
            gone = true;
        });
        while (!gone) {
            EXPECT_NO_THROW(process_file(pid, "cmdline"));
            EXPECT_NO_THROW(process_file(pid, "environ"));
        }
        reaper.join();
    }
}

}  // namespace
}  // namespace svc::devapi
