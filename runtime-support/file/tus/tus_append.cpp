// PATCH /files/tus/<id>: bytes for the end of an upload.
#include <algorithm>
#include <functional>
#include <system_error>

#include "base/uuid.hpp"
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
constexpr std::size_t kBatch = 256 * 1024;               // bytes, written at once
constexpr std::uint64_t kRecorded = 4ULL * 1024 * 1024;  // bytes, after which the row says so
struct Appending {
    std::string root, id;
    std::uint64_t at = 0;
    std::shared_ptr<std::string> bytes;
    bool flush = false;
    // Empty: done.
    std::string operator()() const {
        try {
            if (!write_upload(root, id, at, *bytes, flush)) return "the upload is gone";
            bytes->clear();
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

identity::Refusal more_than_announced() {
    return refusal(Code::too_large, "The upload has more bytes than were announced.");
}

identity::Refusal too_early() { return refusal(Code::bad_request, "The body ended too early."); }

// The source of bytes: the body of the request, or the checked part of it.
using Next = std::function<Task<http::BodyPart>()>;

// Appends the body of one PATCH.
class Appender {
  public:
    Appender(const Filing& in, Resumable& upload, Next next)
        : in_(in), upload_(upload), next_(std::move(next)), recorded_(upload.received) {
        pending_->reserve(kBatch + 32 * 1024);
    }

    Task<std::optional<identity::Refusal>> take();

  private:
    Task<std::optional<identity::Refusal>> write(bool record);
    Task<std::optional<identity::Refusal>> record(std::uint64_t received);

    const Filing& in_;
    Resumable& upload_;
    const Next next_;
    std::uint64_t recorded_;
    std::shared_ptr<std::string> pending_ = std::make_shared<std::string>();
};

Task<std::optional<identity::Refusal>> Appender::write(bool record) {
    if (pending_->empty() && recorded_ == upload_.received) co_return std::nullopt;
    const std::uint64_t next = upload_.received + pending_->size();
    record = record || next - recorded_ >= kRecorded;
    Appending appending{in_.root, upload_.id, upload_.received, pending_, record};
    const std::string why =
        co_await outgoing::off_thread(in_.shared.threads.pool(), std::move(appending));
    if (!why.empty()) co_return not_written(why);
    upload_.received = next;
    if (!record) co_return std::nullopt;
    co_return co_await this->record(next);
}

// The quota holds for what has come, too: many uploads that are never finished would fill the disk.
// What no longer fits is not kept.
Task<std::optional<identity::Refusal>> Appender::record(std::uint64_t received) {
    Texts said;
    const FileRules& rules = in_.app.files;
    const std::string bytes = std::to_string(received),
                      user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {upload_.id, upload_.writer, bytes, user_quota, quota};
    const db::Command command = identity::command("svc_go_on_upload", kAdvance, params, &said);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    const std::string& what = said.values.at(0);
    if (what == "taken")
        co_return refusal(Code::conflict, "Another request is writing to this upload. Try again.");
    if (what == "quota") {
        co_await discard(in_, upload_);
        co_return refusal(Code::quota_exceeded,
                          "There is no room for this file. Delete files that nobody needs.");
    }
    recorded_ = received;
    co_return std::nullopt;
}

// Keeps the bytes that arrived before a connection broke.
Task<std::optional<identity::Refusal>> Appender::take() {
    for (;;) {
        const http::BodyPart piece = co_await next_();
        const bool broken = piece.state == http::BodyPart::State::malformed;
        const bool over = upload_.received + pending_->size() + piece.bytes.size() > upload_.size;
        if (over) {
            co_await write(true);
            co_return more_than_announced();
        }
        *pending_ += piece.bytes;
        const bool ended = piece.state != http::BodyPart::State::more;
        if (!ended && pending_->size() < kBatch) continue;
        const auto failure = co_await write(ended);
        if (failure) co_return failure;
        if (broken) co_return too_early();
        if (ended) co_return std::nullopt;
    }
}

// Bytes that have a checksum: they stand in a file of their own until they are found to be right.
class Checked {
  public:
    Checked(const Filing& in, Checksum checksum) : in_(in), checksum_(std::move(checksum)) {}

    // At most so many bytes.
    Task<std::optional<identity::Refusal>> receive(const Next& body, std::uint64_t most);
    bool matches() { return checksum_.matches(); }
    Task<http::BodyPart> next();

  private:
    Task<std::optional<identity::Refusal>> write();

    const Filing& in_;
    Checksum checksum_;
    std::shared_ptr<Part> part_;
    std::shared_ptr<std::string> bytes_ = std::make_shared<std::string>();
    std::string piece_;
    std::uint64_t at_ = 0;
};

Task<std::optional<identity::Refusal>> Checked::write() {
    checksum_.add(*bytes_);
    const std::string why = co_await write_part(in_, part_, bytes_);
    if (why.empty()) co_return std::nullopt;
    co_return not_written(why);
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
                                                   Resumable& upload, const Next& body) {
    auto checksum = Checksum::read(exchange.head().header("upload-checksum"));
    if (!checksum)
        co_return refuse(exchange, Code::params_invalid,
                         "Upload-Checksum must be sha1 or sha256, a blank, and the checksum in "
                         "base64.");
    Checked checked(in, std::move(*checksum));
    if (const auto failure = co_await checked.receive(body, upload.size - upload.received))
        co_return refuse(exchange, *failure);
    if (!checked.matches()) co_return mismatch(exchange);
    Appender appender(in, upload, [&checked] { return checked.next(); });
    if (const auto failure = co_await appender.take()) co_return refuse(exchange, *failure);
    co_return std::nullopt;
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
    if (!exchange.head().header("upload-checksum").empty())
        co_return co_await append_checked(in, exchange, upload, body);
    Appender appender(in, upload, body);
    if (const auto failure = co_await appender.take()) co_return refuse(exchange, *failure);
    co_return std::nullopt;
}

}  // namespace svc::file
