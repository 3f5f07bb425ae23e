// PATCH /files/tus/<id>: bytes for the end of an upload.
#include <algorithm>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/uuid.hpp"
#include "file/coming.hpp"
#include "file/tus/checksum.hpp"
#include "file/tus/tus.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kAdvance =
    "select svc.go_on_with_upload($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint)";
// The protocol's own status.
constexpr int kMismatch = 460;
constexpr std::string_view kGone = "another request has it";
constexpr std::size_t kBatch = 256 * 1024;  // bytes, written at once
constexpr std::size_t kWaiting = 2;         // batches that are written or wait for it
// As often the row says how far the bytes on the disk reach: they are lost if the server is killed.
constexpr std::chrono::seconds kRecorded{1};

struct Appending {
    std::shared_ptr<UploadFile> file;
    std::shared_ptr<std::string> bytes;
    bool flush = false;
    // Empty: done.
    std::string operator()() const {
        try {
            if (!bytes->empty() && !file->write(*bytes)) return std::string(kGone);
            if (flush) file->flush();
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

identity::Refusal not_written(std::string_view why) {
    log::write(log::Level::error, "upload_not_written", {{"what", why}});
    return refusal(Code::storage_error, "The upload could not be stored. Try again.");
}

identity::Refusal taken_over() {
    return refusal(Code::conflict, "Another request is writing to this upload. Try again.");
}

identity::Refusal more_than_announced() {
    return refusal(Code::too_large, "The upload has more bytes than were announced.");
}

identity::Refusal too_early() { return refusal(Code::bad_request, "The body ended too early."); }

// The source of bytes: the body of the request, or the checked part of it.
using Next = std::function<Task<http::BodyPart>()>;

// Appends the body of one PATCH. While some bytes are written the next ones come, and the thread
// that writes finds them without waiting for the io thread.
class Appender {
  public:
    Appender(const Filing& in, Resumable& upload, Coming& coming, Next next)
        : in_(in),
          upload_(upload),
          coming_(coming),
          next_(std::move(next)),
          file_(std::make_shared<UploadFile>(in.root, upload.id, upload.writer, upload.received,
                                             std::move(upload.hashed))),
          strand_(asio::make_strand(in.shared.threads.pool())),
          passed_(upload.received),
          recorded_(upload.received) {}

    // Leaves the hash with the upload, if it went well.
    Task<std::optional<identity::Refusal>> take();

  private:
    static constexpr std::size_t kPiece = 64 * 1024;  // of the body, usually
    using Clock = std::chrono::steady_clock;
    using Failure = std::optional<identity::Refusal>;

    struct Write {
        std::shared_ptr<std::string> bytes;
        outgoing::UnderWay<std::string> done;
    };

    Task<Failure> pass_on(bool last);
    Task<Failure> settle(std::size_t most);
    std::shared_ptr<std::string> empty_batch();
    Task<Failure> count();
    Task<Failure> record();

    const Filing& in_;
    Resumable& upload_;
    Coming& coming_;
    const Next next_;
    const std::shared_ptr<UploadFile> file_;
    const asio::strand<asio::thread_pool::executor_type> strand_;  // of all writes
    std::uint64_t passed_, recorded_;                              // bytes of the upload
    Clock::time_point recorded_at_ = Clock::now();
    std::deque<Write> writes_;
    std::vector<std::shared_ptr<std::string>> empty_;
    std::shared_ptr<std::string> pending_ = empty_batch();
};

std::shared_ptr<std::string> Appender::empty_batch() {
    if (empty_.empty()) {
        auto batch = std::make_shared<std::string>();
        batch->reserve(kBatch + kPiece);
        return batch;
    }
    auto batch = std::move(empty_.back());
    empty_.pop_back();
    return batch;
}

// Waits until at most so many batches are left to be written.
Task<Appender::Failure> Appender::settle(std::size_t most) {
    while (writes_.size() > most) {
        const std::string why = co_await writes_.front().done.wait();
        if (why == kGone) co_return taken_over();
        if (!why.empty()) co_return not_written(why);
        upload_.received += writes_.front().bytes->size();
        writes_.front().bytes->clear();
        empty_.push_back(std::move(writes_.front().bytes));
        writes_.pop_front();
    }
    co_return std::nullopt;
}

Task<Appender::Failure> Appender::pass_on(bool last) {
    if (auto failure = co_await settle(kWaiting - 1)) co_return failure;
    if (pending_->empty() && recorded_ == passed_) co_return std::nullopt;
    const bool flush = last || Clock::now() - recorded_at_ >= kRecorded;
    passed_ += pending_->size();
    Appending appending{file_, pending_, flush};
    writes_.push_back({pending_, {in_.io, strand_, std::move(appending)}});
    pending_ = empty_batch();
    if (!flush) co_return co_await count();
    if (auto failure = co_await settle(0)) co_return failure;
    co_return co_await record();
}

// The quota holds for what has come, too: many uploads that are never finished would fill the disk.
// What no longer fits is not kept.
Task<Appender::Failure> Appender::count() {
    auto failure = co_await coming_.count(passed_ - recorded_);
    if (failure && failure->error.code == Code::quota_exceeded) {
        co_await settle(0);
        co_await discard(in_, upload_);
    }
    co_return failure;
}

Task<Appender::Failure> Appender::record() {
    Texts said;
    const FileRules& rules = in_.app.files;
    const std::string bytes = std::to_string(upload_.received),
                      user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {upload_.id, upload_.writer, bytes, user_quota, quota};
    const db::Command command = identity::command("svc_go_on_upload", kAdvance, params, &said);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    const std::string& what = said.values.at(0);
    if (what == "taken") co_return taken_over();
    if (what == "quota") {
        co_await discard(in_, upload_);
        co_return no_room();
    }
    coming_.recorded();
    recorded_ = upload_.received;
    recorded_at_ = Clock::now();
    co_return std::nullopt;
}

// Keeps the bytes that arrived before a connection broke.
Task<Appender::Failure> Appender::take() {
    std::uint64_t come = upload_.received;
    for (;;) {
        const http::BodyPart piece = co_await next_();
        const bool broken = piece.state == http::BodyPart::State::malformed;
        come += piece.bytes.size();
        if (come > upload_.size) {
            co_await pass_on(true);
            co_return more_than_announced();
        }
        *pending_ += piece.bytes;
        const bool ended = piece.state != http::BodyPart::State::more;
        if (!ended && pending_->size() < kBatch) continue;
        if (auto failure = co_await pass_on(ended)) co_return failure;
        if (!ended) continue;
        upload_.hashed = file_->hashed();
        if (broken) co_return too_early();
        co_return std::nullopt;
    }
}

Task<std::optional<route::Handled>> append_plain(const Filing& in, http::Exchange& exchange,
                                                 Resumable& upload, Coming& coming,
                                                 const Next& body) {
    Appender appender(in, upload, coming, body);
    const auto failure = co_await appender.take();
    const bool goes_on = failure || upload.received < upload.size;
    if (goes_on && upload.hashed) in.shared.hashes.keep(upload.id, std::move(upload.hashed));
    if (failure) co_return refuse(exchange, *failure);
    co_return std::nullopt;
}

// Bytes that have a checksum: they stand in a file of their own until they are found to be right.
class Checked {
  public:
    Checked(const Filing& in, Coming& coming, Checksum checksum)
        : in_(in), coming_(coming), checksum_(std::move(checksum)) {}

    // At most so many bytes.
    Task<std::optional<identity::Refusal>> receive(const Next& body, std::uint64_t most);
    bool matches() { return checksum_.matches(); }
    Task<http::BodyPart> next();

  private:
    Task<std::optional<identity::Refusal>> write();

    const Filing& in_;
    Coming& coming_;
    Checksum checksum_;
    std::shared_ptr<Part> part_;
    std::shared_ptr<std::string> bytes_ = std::make_shared<std::string>();
    std::string piece_;
    std::uint64_t at_ = 0;
};

Task<std::optional<identity::Refusal>> Checked::write() {
    checksum_.add(*bytes_);
    const std::string why = co_await write_part(in_, part_, bytes_);
    if (!why.empty()) co_return not_written(why);
    co_return co_await coming_.count(part_->size());
}

Task<std::optional<identity::Refusal>> Checked::receive(const Next& body, std::uint64_t most) {
    std::string why;
    try {
        part_ = std::make_shared<Part>(in_.root, base::new_uuid());
    } catch (const std::system_error& error) {
        why = error.what();
    }
    if (!part_) co_return not_written(why);
    for (;;) {
        const http::BodyPart came = co_await body();
        if (came.state == http::BodyPart::State::malformed) co_return too_early();
        const bool ended = came.state == http::BodyPart::State::end;
        *bytes_ += came.bytes;
        if (part_->size() + bytes_->size() > most) co_return more_than_announced();
        if (!ended && bytes_->size() < kBatch) continue;
        if (auto failure = co_await write()) co_return failure;
        if (ended) co_return std::nullopt;
    }
}

struct ReadingBack {
    std::shared_ptr<Part> part;
    std::uint64_t at;
    std::size_t most;
    std::string operator()() const {
        try {
            return part->read(at, most);
        } catch (const std::exception&) {
            return {};
        }
    }
};

Task<http::BodyPart> Checked::next() {
    const std::uint64_t left = part_->size() - at_;
    if (left == 0) co_return http::BodyPart{};
    ReadingBack reading{part_, at_,
                        static_cast<std::size_t>(std::min<std::uint64_t>(left, kBatch))};
    piece_ = co_await outgoing::off_thread(in_.shared.threads.pool(), std::move(reading));
    if (piece_.empty()) co_return http::BodyPart{http::BodyPart::State::malformed};
    at_ += piece_.size();
    co_return http::BodyPart{http::BodyPart::State::more, piece_};
}

route::Handled mismatch(http::Exchange& exchange) {
    refuse(exchange, Code::params_invalid,
           "The bytes are not those of Upload-Checksum. Send them again.");
    exchange.reply().status = kMismatch;
    return route::Handled::answered;
}

// Nothing: it is in the upload.
Task<std::optional<route::Handled>> append_checked(const Filing& in, http::Exchange& exchange,
                                                   Resumable& upload, Coming& coming,
                                                   const Next& body) {
    auto checksum = Checksum::read(exchange.head().header("upload-checksum"));
    if (!checksum)
        co_return refuse(exchange, Code::params_invalid,
                         "Upload-Checksum must be sha1 or sha256, a blank, and the checksum in "
                         "base64.");
    Checked checked(in, coming, std::move(*checksum));
    if (const auto failure = co_await checked.receive(body, upload.size - upload.received))
        co_return refuse(exchange, *failure);
    if (!checked.matches()) co_return mismatch(exchange);
    const Next rest = [&checked] { return checked.next(); };
    co_return co_await append_plain(in, exchange, upload, coming, rest);
}

}  // namespace

Task<std::optional<route::Handled>> append(const Filing& in, http::Exchange& exchange,
                                           Resumable& upload) {
    const Uploading uploading(in.shared.counts);
    const Next body = [&in, &exchange]() -> Task<http::BodyPart> {
        const http::BodyPart came = co_await exchange.next_body();
        Counts::add(in.shared.counts.received_bytes, came.bytes.size());
        co_return came;
    };
    const bool checked = !exchange.head().header("upload-checksum").empty();
    Coming coming(in, {upload.writer, upload.id, upload.owner, checked});
    std::optional<route::Handled> ended;
    if (checked)
        ended = co_await append_checked(in, exchange, upload, coming, body);
    else
        ended = co_await append_plain(in, exchange, upload, coming, body);
    co_await coming.end();
    co_return ended;
}

}  // namespace svc::file
