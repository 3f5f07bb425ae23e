#include "ops/request_ring.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace svc::ops {
namespace {

class OpsRequestRing : public testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path_); }

    // Bytes that the file system holds for the file, and those that it says it has.
    std::pair<off_t, off_t> size() const {
        struct stat file {};
        EXPECT_EQ(::stat(path_.c_str(), &file), 0);
        return {static_cast<off_t>(file.st_blocks) * 512, file.st_size};
    }

    const std::string path_ = testing::TempDir() + "ring-" + std::to_string(::getpid());
};

TEST_F(OpsRequestRing, HasNoHolesThatAFullDiskCouldNotFill) {
    const RequestRing ring(path_);
    const auto [held, said] = size();
    EXPECT_GT(said, 0);
    EXPECT_GE(held, said);
}

TEST_F(OpsRequestRing, FillsTheHolesOfAFileFromBefore) {
    const off_t large = [this] {
        const RequestRing ring(path_);
        return size().second;
    }();
    std::filesystem::remove(path_);
    const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(::ftruncate(fd, large), 0);
    ::close(fd);
    ASSERT_LT(size().first, large);
    RequestRing ring(path_);
    EXPECT_GE(size().first, large);
    ring.add("GET", "/a", 200, RequestRing::now());
    EXPECT_EQ(read_requests(path_, 0, 10).size(), 1U);
}

}  // namespace
}  // namespace svc::ops
