// The temporary file of a resumable upload between those who write to it and those who remove it.
#include "file/disk/upload_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace svc::file {
namespace {

namespace fs = std::filesystem;

class Folder {
  public:
    Folder() : path_((fs::temp_directory_path() / "svc-test-uploads-XXXXXX").string()) {
        EXPECT_NE(::mkdtemp(path_.data()), nullptr);
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

TEST(UploadFile, IsRemovedWhileSomebodyWritesToIt) {
    const Folder root;
    const std::string id = "0190a0a0-0000-7000-8000-000000000001", writer = "w",
                      name = id + "." + writer + ".tus", piece(256 * 1024, 'x');
    for (int round = 0; round < 20; ++round) {
        make_upload(root.path(), id);
        ASSERT_EQ(claim_upload(root.path(), id, "", writer), Claim::done);
        UploadFile file(root.path(), id, writer, 0, std::make_unique<Hashed>());
        ASSERT_TRUE(file.write(piece));
        std::thread writing([&] {
            while (file.write(piece)) continue;
        });
        EXPECT_TRUE(remove_unfinished(root.path(), name)) << "round " << round;
        fs::remove(root.path() + "/tmp/" + name);  // so that the writer ends in any case
        writing.join();
        EXPECT_EQ(name_of_upload(root.path(), id), "");
    }
}

TEST(UploadFile, ThatIsNotThereIsNotRemoved) {
    const Folder root;
    EXPECT_FALSE(remove_unfinished(root.path(), "0190a0a0-0000-7000-8000-000000000001.tus"));
}

}  // namespace
}  // namespace svc::file
