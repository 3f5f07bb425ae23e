// How a process learns that another one of its machine has ended.
#include "run/engine/process_life.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace svc::run {
namespace {

// What a process knows of itself, without its texts: they would not fit into a pipe as they are.
struct Told {
    bool same_machine = false, seen = false;
    std::uint64_t ticks = 0;
};

// A process that tells of itself, and then waits until it is killed.
class Child {
  public:
    Child() {
        const std::string machine = own_life().machine;
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        pid_ = ::fork();
        if (pid_ == 0) {
            const ProcessLife life = own_life();
            const Told own{life.machine == machine, !life.machine.empty(), life.ticks};
            if (::write(ends[1], &own, sizeof(own)) == sizeof(own)) ::pause();
            ::_exit(0);
        }
        EXPECT_EQ(::read(ends[0], &told, sizeof(told)), static_cast<ssize_t>(sizeof(told)));
        for (const int end : ends) ::close(end);
    }
    ~Child() { end(); }

    pid_t pid() const { return pid_; }
    // Its parent does not ask for its end, as a busy one would not.
    void kill() const {
        ::kill(pid_, SIGKILL);
        siginfo_t how{};
        ::waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOWAIT);
    }
    void end() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(std::exchange(pid_, 0), nullptr, 0);
    }

    Told told;

  private:
    pid_t pid_ = 0;
};

TEST(RunProcessLife, OneThatLivesHasNotEnded) {
    const Child child;
    EXPECT_TRUE(child.told.seen);
    EXPECT_TRUE(child.told.same_machine);
    EXPECT_FALSE(has_ended(child.pid(), child.told.ticks));
    EXPECT_FALSE(has_ended(::getpid(), own_life().ticks));
}

TEST(RunProcessLife, OneThatWasKilledHasEndedBeforeItsParentAsks) {
    Child child;
    const pid_t pid = child.pid();
    child.kill();
    EXPECT_TRUE(has_ended(pid, child.told.ticks));
    child.end();
    EXPECT_TRUE(has_ended(pid, child.told.ticks));
}

TEST(RunProcessLife, AnotherProcessMayHaveItsNumberByNow) {
    const Child child;
    EXPECT_TRUE(has_ended(child.pid(), child.told.ticks - 1));
}

// Numbers of /proc are those of its own namespace: in another one they would be others' processes.
TEST(RunProcessLife, InANamespaceThatProcDoesNotShowNobodyLooks) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) ::_exit(2);
        const pid_t inner = ::fork();
        if (inner == 0) ::_exit(own_life().machine.empty() ? 0 : 1);
        int status = 0;
        ::waitpid(inner, &status, 0);
        ::_exit(WEXITSTATUS(status));
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "This machine allows no namespaces.";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace svc::run
