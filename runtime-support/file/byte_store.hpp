// The bytes of stored files: on the disk of this machine, or in an S3-compatible store. Every store
// gets them from a temporary file on the disk (disk.hpp). Its name, the part, is in the row of the
// file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/env.hpp"
#include "http/exchange.hpp"
#include "outgoing/calls.hpp"

namespace svc::file {

class Part;
class Threads;

// The parts that reading uses: the answer's thread, outgoing calls, threads of the disk.
struct Readers {
    asio::io_context& io;
    outgoing::Calls& calls;
    Threads& threads;
};

struct Wanted {
    std::string id, part;
    std::uint64_t from = 0, length = 0;  // bytes [from, from + length)
    bool head = false;                   // the answer has no body
};

struct Opened {
    std::shared_ptr<http::BodySource> bytes;  // null: there is no such file, or not now
    std::string later;                        // the store does not answer now: why
};

struct Listed {
    std::string id;
    std::string part;        // where it has that name; empty: its id
    std::uint64_t size = 0;  // bytes
    bool waits = false;      // a temporary file that has not got its place yet
};

class ByteStore {
  public:
    virtual ~ByteStore() = default;

    // Takes the bytes, before the row says that the file is stored. Empty: readers of every
    // process find the bytes. Otherwise the reason, without credentials; another try may succeed.
    virtual Task<std::string> take(std::shared_ptr<Part> part) = 0;
    // Opens a file. Only the requested bytes come into memory, some of them at a time.
    virtual Task<Opened> open(const Readers& by, const Wanted& file) = 0;

    // The threads on which the functions below may wait: `disk`, or threads of its own. They block,
    // and throw if the store fails.
    virtual Threads& threads(Threads& disk) { return disk; }
    // Finishes the temporary file (renames or deletes it), after the row says that it is stored.
    virtual void settle(const std::string& id, const std::string& part) = 0;
    // Does the same after a server was killed in between, whichever store it had.
    virtual void settle_late(const std::string& id, const std::string& part) = 0;
    // Deletes a stored file.
    virtual void remove(const std::string& id, const std::string& part) = 0;
    // Deletes a part that no row will name, and what the store has of it.
    virtual void drop(const std::string& part) = 0;
    // Lists all stored files.
    virtual void each(const std::function<void(const Listed&)>& visit) = 0;
    // Keeps files that are not ours.
    virtual void remove_all() = 0;
};

// `root`: the folder of the files of an app. The settings of S3 decide which store is used
// (s3/settings.hpp); keys in S3 begin with `prefix`.
std::unique_ptr<ByteStore> make_store(const std::string& root, const std::string& prefix);
// Ignores the settings of S3, for files that must never leave this machine.
std::unique_ptr<ByteStore> make_disk_store(const std::string& root);

// The prefix of the keys of an app's files in a store that several apps share.
std::string store_prefix(std::string_view project, Env env);

}  // namespace svc::file
