// The temporary file of a resumable upload, which any process may continue: tmp/<id>.tus, and
// tmp/<id>.<writer>.tus once somebody writes to it. A new writer renames it, so the one before no
// longer finds it under its name and cannot change a byte.
//
// Everything here blocks. Throws std::system_error, as every function that writes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/sha256.hpp"
#include "file/disk/disk.hpp"

namespace svc::file {

void make_upload(const std::string& root, const std::string& id);

// Gives the file to a new writer. `before`: the writer whose name it probably has; empty: none.
enum class Claim : std::uint8_t {
    done,   // it has the new writer's name, or that of a part: all its bytes have come
    busy,   // somebody else stores it now
    absent  // it is not there
};
Claim claim_upload(const std::string& root, const std::string& id, const std::string& before,
                   const std::string& writer);

// The hash of the first bytes of an upload, while they come.
struct Hashed {
    std::uint64_t bytes = 0;
    base::Sha256 sha;
};

// The hashes of unfinished uploads between their requests. What it has forgotten is read again.
// From any thread.
class Hashes {
  public:
    void keep(const std::string& id, std::unique_ptr<Hashed> hashed);
    // Null if there is no hash of exactly this many bytes.
    std::unique_ptr<Hashed> take(const std::string& id, std::uint64_t bytes);

  private:
    static constexpr std::size_t kMost = 1000;

    std::mutex mutex_;
    std::unordered_map<std::string, std::unique_ptr<Hashed>> by_id_;
};

// A writer of an upload. One thread at a time, but another one may flush() or write_out() what was
// written before.
class UploadFile {
  public:
    // `hashed`: the hash of the first `at` bytes; null: not known.
    UploadFile(const std::string& root, const std::string& id, const std::string& writer,
               std::uint64_t at, std::unique_ptr<Hashed> hashed);
    ~UploadFile();
    UploadFile(const UploadFile&) = delete;
    UploadFile& operator=(const UploadFile&) = delete;

    // Adds the bytes to the end. False: another writer has the file, or it is gone.
    bool write(std::string_view bytes);
    // Lets the kernel begin with these bytes, as begin_write_out() does.
    void write_out(std::uint64_t from, std::uint64_t to) const;
    // Waits until all of it is on the disk.
    void flush();
    std::uint64_t size() const { return at_; }
    std::unique_ptr<Hashed> hashed() { return std::move(hashed_); }  // once; null: nobody knows

  private:
    class Lock;

    void write_at_end(std::string_view bytes);

    const std::string path_;
    int fd_ = -1;
    std::uint64_t at_;  // bytes
    std::unique_ptr<Hashed> hashed_;
};

// The name of the upload's file in tmp/; empty: there is none. An upload with all its bytes has the
// name of a part.
std::string name_of_upload(const std::string& root, const std::string& id);
bool is_unfinished(std::string_view name);
// Deletes the file of this name. One that has the name of a part is emptied and keeps it: the store
// may have some of it. False: there is none, or another request stores it now.
bool remove_unfinished(const std::string& root, const std::string& name);

}  // namespace svc::file
