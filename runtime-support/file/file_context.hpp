// The parts that the handlers of files use, and functions that they share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/env.hpp"
#include "db/pool.hpp"
#include "file/counts.hpp"
#include "file/disk/disk.hpp"
#include "file/disk/upload_file.hpp"
#include "file/tickets.hpp"
#include "identity/budget.hpp"
#include "identity/key/gate.hpp"
#include "route/as_caller.hpp"
#include "route/endpoint.hpp"

namespace svc::file {

// Shared by a whole process: threads for the disk, limits, and counts of what happened.
struct Shared {
    Shared(unsigned uploads_a_minute, unsigned keyless_reads_a_minute,
           std::unique_ptr<ByteStore> bytes)
        : uploads(uploads_a_minute, std::chrono::minutes(1)),
          keyless_reads(keyless_reads_a_minute, std::chrono::minutes(1)),
          store(std::move(bytes)) {}
    Threads threads;
    identity::Throttle uploads;        // by account
    identity::Throttle keyless_reads;  // of what a page shows, by address
    const std::unique_ptr<ByteStore> store;
    Counts counts;
    Hashes hashes;
};

// Outlives the handlers.
struct FileContext {
    const App& app;
    db::Pool& data;    // runs what the caller may
    db::Pool& system;  // writes rows of files
    const route::Callers callers;
    identity::Gate& gate;
    const std::string root;  // Settings::files; empty: no files
    const Env env;
    const Tickets& tickets;
    Shared& shared;
    asio::io_context& io;
    outgoing::Calls& calls;
};

class TextColumns : public db::RowSink {
  public:
    explicit TextColumns(int columns = 1) : columns_(columns) {}
    void row(const Row& row) override {
        for (int i = 0; i < columns_; ++i) values.emplace_back(row.text(i));
    }
    std::vector<std::string> values;  // row by row; null as empty
  private:
    const int columns_;
};

// Answers an error; it ends the call.
route::Handled refuse(http::Exchange& exchange, const identity::Refusal& refusal);
route::Handled refuse(http::Exchange& exchange, Code code, std::string message);

// Runs one statement as the caller. Returns nothing if it succeeded.
Task<std::optional<route::Handled>> run_as(const FileContext& in, http::Exchange& exchange,
                                           const Caller& caller, db::Command command);

// As run_as, for a quick statement that only reads: it may share a Sync with other reads.
Task<std::optional<route::Handled>> read_as(const FileContext& in, http::Exchange& exchange,
                                            const Caller& caller, db::Command command);

// Checks that the uploader is an account within its limit. `counted`: the upload was counted
// before.
identity::Result<void> check_uploader(const FileContext& in, const Caller& caller, bool counted);

using Act = Task<route::Handled> (*)(const FileContext&, route::Request&, const Caller&);
// A handler that needs an app key and acts as the caller of the request.
route::Handler as_caller(const FileContext& in, Act act);

Task<route::Handled> sign(const FileContext& in, route::Request& request, const Caller& caller);
Task<route::Handled> upload(const FileContext& in, route::Request& request, const Caller& caller);
Task<route::Handled> remove(const FileContext& in, route::Request& request, const Caller& caller);
// Resumable uploads.
Task<route::Handled> begin_resumable(const FileContext& in, route::Request& request,
                                     const Caller& caller);
Task<route::Handled> show_resumable(const FileContext& in, route::Request& request,
                                    const Caller& caller);
Task<route::Handled> append_resumable(const FileContext& in, route::Request& request,
                                      const Caller& caller);
Task<route::Handled> end_resumable(const FileContext& in, route::Request& request,
                                   const Caller& caller);
Task<route::Handled> override_resumable(const FileContext& in, route::Request& request,
                                        const Caller& caller);
Task<route::Done> download(const FileContext& in, route::Request& request);

// A size in words: "25 MB", "512 KB", "7 bytes".
std::string in_words(std::uint64_t bytes);

}  // namespace svc::file
