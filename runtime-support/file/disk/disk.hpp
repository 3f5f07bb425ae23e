// Files on disk. A file has its whole content or is not there: it is written under a temporary
// name, and renamed once its row has been committed. Paths come from ids alone.
//
//   <root>/tmp/<part>       while it is written; "part" is <id>.<random>
//   <root>/<two digits>/<id>
//
// Everything here blocks, except where it says Task.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "file/byte_store.hpp"

namespace svc::file {

// Threads that wait for the disk or for a store, of a whole process. They start with the first
// file.
class Threads {
  public:
    asio::thread_pool& pool();

  private:
    std::once_flag once_;
    std::optional<asio::thread_pool> pool_;
};

// As many bytes go to the disk at a time while others come, so that few are left when all must be
// there.
inline constexpr std::uint64_t kWrittenOut = 8ULL * 1024 * 1024;
// Lets the kernel begin with the bytes [from, to). It waits where the disk has too much to do. What
// fails is told by the next fsync.
void begin_write_out(int fd, std::uint64_t from, std::uint64_t to);

struct Hashed;  // file/disk/upload_file.hpp

// A file that is being written. Locked as long as the object lives, and removed with it unless
// keep() was called. One thread at a time.
class Part {
  public:
    // Throws std::system_error, as every function that writes.
    Part(std::string root, const std::string& id);
    struct Taken {
        std::shared_ptr<Part> part;  // null: it is not there
        bool busy = false;           // somebody else stores it now
    };
    // A resumable upload whose bytes are all there, taken from whoever might still write to it.
    // `hashed`: the hash of all bytes; if it is missing, the whole file is read.
    static Taken of_upload(const std::string& root, const std::string& id,
                           std::unique_ptr<Hashed> hashed);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    void append(std::string_view bytes);
    // Writes the bytes and the name to the disk. Those of a resumable upload are there already.
    void flush();
    // keep(): the file stays when the object goes. discard(): it goes after all.
    void keep() { kept_ = true; }
    bool kept() const { return kept_; }
    void discard() { kept_ = false; }
    // Keeps the name of a file that was to be deleted, without its bytes: the store may have some
    // of them, which the sweep deletes when it finds the name.
    void leave_name();
    // Reads up to so many written bytes from that position. Throws if they are missing.
    std::string read(std::uint64_t at, std::size_t most) const;

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }
    std::string_view head() const { return head_; }  // the first bytes, for found_type()
    base::Digest digest() { return sha_.end(); }     // once

  private:
    struct Named {};
    Part(Named, std::string root, std::string name);
    void note(std::string_view bytes);
    void read_whole();
    void read_head(Hashed& hashed);
    void take_over(int fd, Hashed* hashed);

    const std::string root_, name_;
    int fd_ = -1;
    std::uint64_t size_ = 0, written_out_ = 0;
    std::string head_;
    base::Sha256 sha_;
    bool kept_ = false;
    bool safe_ = false;  // the bytes are on the disk
};

// The path of a file's bytes, and their path before they were renamed.
std::string stored_path(const std::string& root, const std::string& id);
std::string part_path(const std::string& root, const std::string& part);

// Renames a file from its temporary name to its own. Does not wait for the disk: after a crash of
// the machine the file has either name, and open_stored() finds it under both.
void place(const std::string& root, const std::string& id, const std::string& part);
// A descriptor to read; -1 if there is no such file. If a server was killed before it renamed the
// part, the part is renamed now.
int open_stored(const std::string& root, const std::string& id, const std::string& part);
void remove_stored(const std::string& root, const std::string& id);
void remove_part(const std::string& root, const std::string& part);

void each_on_disk(const std::string& root, const std::function<void(const Listed&)>& visit);
// Null if the file does not exist. `place`: as in open_stored().
Task<std::shared_ptr<http::BodySource>> open_on_disk(const std::string& root, Threads& threads,
                                                     const Wanted& file, bool place);

// Bytes of a stored file. What the kernel holds in memory is read at once; for the rest a thread
// waits.
class FileSource final : public http::BodySource {
  public:
    // Owns the descriptor.
    FileSource(int fd, std::uint64_t from, std::uint64_t length, Threads& threads);
    ~FileSource() override;
    std::uint64_t length() const override { return length_; }
    Task<std::string_view> next() override;

  private:
    const int fd_;
    std::uint64_t at_, left_;
    const std::uint64_t length_;
    Threads& threads_;
    std::shared_ptr<std::string> buffer_;
};

}  // namespace svc::file
