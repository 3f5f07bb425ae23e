// Adds the body of a PATCH to the end of a resumable upload.
#pragma once

#include <boost/asio/strand.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file/tus/batch.hpp"
#include "file/tus/tus.hpp"
#include "file/upload_progress.hpp"
#include "outgoing/background_work.hpp"

namespace svc::file {

identity::Refusal not_written(std::string_view why);
identity::Refusal more_than_announced();
identity::Refusal too_early();
identity::Refusal taken_over();

// The source of bytes: the body of the request, or the checked part of it. `room` is where they
// may be read to.
using Next = std::function<Task<http::BodyPart>(std::span<char> room)>;

// Appends the body of one PATCH. The next bytes arrive while others are written, and the writing
// thread takes them without waiting for the io thread. It does nothing for the disk but copy them
// to the kernel and hash them: two other threads hand earlier bytes to the disk and wait for it.
// Nor does anybody wait while the row is told how many bytes are safe.
class Appender {
  public:
    Appender(const FileContext& in, Resumable& upload, UploadProgress& progress, Next next)
        : in_(in),
          upload_(upload),
          progress_(progress),
          next_(std::move(next)),
          file_(std::make_shared<UploadFile>(in.root, upload.id, upload.writer, upload.received,
                                             std::move(upload.hashed))),
          strand_(asio::make_strand(in.shared.threads.pool())),
          passed_(upload.received),
          written_out_(upload.received),
          recorded_(upload.received) {}

    // Stores the hash with the upload, if the append succeeded.
    Task<std::optional<identity::Refusal>> take();

  private:
    using Clock = std::chrono::steady_clock;
    using Failure = std::optional<identity::Refusal>;

    struct Write {
        std::shared_ptr<Batch> batch;
        outgoing::BackgroundWork<std::string> done;
    };
    struct Flush {
        std::uint64_t to;  // so many bytes of the upload are safe then
        outgoing::BackgroundWork<std::string> done;
    };
    struct Recorded {
        db::Outcome outcome;
        std::string verdict;
    };
    struct Record {
        std::uint64_t to;  // so many bytes of the upload the row counts then
        outgoing::BackgroundWork<Recorded> done;
    };

    Task<Failure> add(std::string_view bytes);
    Task<Failure> pass_on(bool last);
    Task<Failure> settle(std::size_t most);
    Task<Failure> flushed();
    Task<Failure> keep_up();
    void write_out();
    bool may_wait() const;
    std::shared_ptr<Batch> empty_batch();
    Task<Failure> count();
    static Task<Recorded> tell_row(const FileContext& in, std::string id, std::string writer,
                                   std::uint64_t received);
    void begin_record(std::uint64_t received);
    Task<Failure> recorded();

    const FileContext& in_;
    Resumable& upload_;
    UploadProgress& progress_;
    const Next next_;
    const std::shared_ptr<UploadFile> file_;
    const asio::strand<asio::thread_pool::executor_type> strand_;  // of all writes
    std::uint64_t passed_, written_out_, recorded_;                // bytes of the upload
    Clock::time_point recorded_at_ = Clock::now();
    std::deque<Write> writes_;
    std::optional<Flush> flush_;                                 // one at a time
    std::optional<outgoing::BackgroundWork<bool>> writing_out_;  // the same
    std::optional<Record> record_;                               // the same
    std::vector<std::shared_ptr<Batch>> empty_;
    std::shared_ptr<Batch> pending_ = empty_batch();
};

}  // namespace svc::file
