#include "build/sandbox.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "build/build.hpp"
#include "build/process.hpp"
#include "paths.hpp"

namespace svc::build {
namespace {

namespace fs = std::filesystem;

class SandboxTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!sandbox_trouble().empty()) GTEST_SKIP() << sandbox_trouble();
        folder_ = testing::TempDir() + "svc-sandbox-" + std::to_string(getpid());
        fs::create_directories(folder_ + "/own");
        std::ofstream(folder_ + "/secret.hpp") << "int told_by_the_secret_file;\n";
    }
    void TearDown() override { fs::remove_all(folder_); }

    Ended shell(const std::string& script, unsigned seconds = 10, bool inside = true) {
        Child child{{"/bin/bash", "-c", script}, folder_, 512, seconds};
        child.sandbox = inside;
        child.writable = folder_ + "/own";
        return run(child);
    }

    std::string folder_;
};

TEST_F(SandboxTest, reads_the_system_and_nothing_else) {
    EXPECT_TRUE(shell("test -r /usr/bin/c++").ok);
    for (const char* path : {"/etc/shadow", "/etc/passwd", "/root", "/home", "/var/lib", "/proc/1",
                             "/dev/mem", "/run"})
        EXPECT_FALSE(shell(std::string("ls ") + path).ok) << path;
}

TEST_F(SandboxTest, writes_to_its_own_folder_alone) {
    EXPECT_TRUE(shell("echo x >own/file && test $(cat own/file) = x").ok);
    EXPECT_TRUE(fs::exists(folder_ + "/own/file"));
    EXPECT_FALSE(shell("echo x >file").ok);
    EXPECT_FALSE(shell("echo x >secret.hpp").ok);
    EXPECT_FALSE(shell("echo x >/usr/file").ok);
}

TEST_F(SandboxTest, has_a_tmp_of_its_own) {
    const std::string host = "/tmp/svc-sandbox-host-" + std::to_string(getpid());
    std::ofstream(host) << "x";
    EXPECT_TRUE(shell("test -e " + host, 10, false).ok);
    EXPECT_FALSE(shell("test -e " + host).ok);
    shell("echo x >/tmp/from-inside");
    EXPECT_FALSE(fs::exists("/tmp/from-inside"));
    fs::remove(host);
}

TEST_F(SandboxTest, has_no_network) {
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(server, 4), 0);
    ::getsockname(server, reinterpret_cast<sockaddr*>(&address), &size);
    const std::string connect =
        "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(ntohs(address.sin_port));
    EXPECT_TRUE(shell(connect, 10, false).ok);
    EXPECT_FALSE(shell(connect).ok);
    ::close(server);
}

TEST_F(SandboxTest, is_nobody_with_no_rights) {
    EXPECT_FALSE(shell("kill -0 " + std::to_string(getpid())).ok);
    EXPECT_FALSE(shell("/usr/bin/unshare --user /usr/bin/true").ok && geteuid() != 0);
    EXPECT_FALSE(shell("/usr/bin/mount -t tmpfs none /tmp").ok);
    EXPECT_NE(shell("id -u").output, "0\n");
}

TEST_F(SandboxTest, a_fork_bomb_is_bounded) {
    const Ended ended =
        shell("exec /bin/dash -c 'i=0; while :; do sleep 60 & i=$((i+1)); echo $i; done'");
    EXPECT_FALSE(ended.ok);
    EXPECT_FALSE(ended.timed_out);
    EXPECT_NE(ended.output.find("fork"), std::string::npos) << ended.output;
    EXPECT_EQ(ended.output.find("\n200\n"), std::string::npos);
}

TEST_F(SandboxTest, memory_and_time_are_bounded) {
    EXPECT_FALSE(shell("awk 'BEGIN { s = \"x\"; while (1) s = s s }'").ok);
    const Ended late = shell("setsid sleep 60 & sleep 60", 1);
    EXPECT_TRUE(late.timed_out);
}

TEST_F(SandboxTest, a_hostile_source_reads_nothing) {
    Settings settings;
    settings.sandbox = Sandbox::required;
#ifdef SVC_TOOLCHAIN_DIR
    settings.toolchain = SVC_TOOLCHAIN_DIR;
#else
    settings.toolchain = default_toolchain();
#endif
    if (!fs::exists(settings.toolchain + "/fingerprint")) GTEST_SKIP() << "no toolchain";
    settings.cache = folder_ + "/cache";
    const auto described = [&](const std::string& source) {
        return compile({{"main.cpp", source + "\nint main() {}\n"}}, settings).error;
    };
    const std::string secret = folder_ + "/secret.hpp";
    for (const std::string& path :
         {std::string("/etc/shadow"), std::string("/etc/passwd"), secret}) {
        const std::string error = described("#include \"" + path + "\"");
        EXPECT_NE(error.find("No such file"), std::string::npos) << error;
        EXPECT_EQ(error.find("root:"), std::string::npos);
    }
    const std::string incbin = described("asm(\".incbin \\\"" + secret + "\\\"\");");
    EXPECT_NE(incbin.find("file not found"), std::string::npos) << incbin;
    EXPECT_EQ(described(""), "");
}

TEST(Sandbox, is_what_the_operator_says) {
    EXPECT_EQ(sandbox_of(""), Sandbox::automatic);
    EXPECT_EQ(sandbox_of("required"), Sandbox::required);
    EXPECT_FALSE(sandboxed(sandbox_of("off")));
    EXPECT_THROW(sandbox_of("maybe"), std::invalid_argument);
}

}  // namespace
}  // namespace svc::build
