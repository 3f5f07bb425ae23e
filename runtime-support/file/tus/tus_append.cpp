// PATCH /files/tus/<id>: bytes for the end of an upload.
#include <algorithm>
#include <system_error>

#include "base/uuid.hpp"
#include "file/tus/appender.hpp"
#include "file/tus/checksum.hpp"
#include "file/upload/part_writer.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

// The protocol's own status.
constexpr int kMismatch = 460;

Task<std::optional<route::Handled>> append_plain(const FileContext& in, http::Exchange& exchange,
                                                 Resumable& upload, UploadProgress& progress,
                                                 const Next& body) {
    Appender appender(in, upload, progress, body);
    const auto failure = co_await appender.take();
    const bool goes_on = failure || upload.received < upload.size;
    if (goes_on && upload.hashed) in.shared.hashes.keep(upload.id, std::move(upload.hashed));
    if (failure) co_return refuse(exchange, *failure);
    co_return std::nullopt;
}

// Bytes that have a checksum: they stand in a file of their own until they are found to be right.
class Checked {
  public:
    Checked(const FileContext& in, UploadProgress& progress, Checksum checksum)
        : in_(in), progress_(progress), checksum_(std::move(checksum)), writer_(in, kOnePiece) {}

    // At most so many bytes.
    Task<std::optional<identity::Refusal>> receive(const Next& body, std::uint64_t most);
    bool matches() { return checksum_.matches(); }
    Task<http::BodyPart> next();

  private:
    Task<std::optional<identity::Refusal>> read(const Next& body, std::uint64_t most);

    static constexpr std::size_t kOnePiece = std::size_t{64} * 1024;  // of the body, at most

    const FileContext& in_;
    UploadProgress& progress_;
    Checksum checksum_;
    std::shared_ptr<Part> part_;
    PartWriter writer_;
    std::string piece_;
    std::uint64_t come_ = 0, at_ = 0;  // bytes
};

Task<std::optional<identity::Refusal>> Checked::receive(const Next& body, std::uint64_t most) {
    std::string why;
    try {
        part_ = std::make_shared<Part>(in_.root, base::new_uuid());
    } catch (const std::system_error& error) {
        why = error.what();
    }
    if (!part_) co_return not_written(why);
    auto failure = co_await read(body, most);
    why = co_await writer_.written();
    if (!failure && !why.empty()) failure = not_written(why);
    co_return failure;
}

Task<std::optional<identity::Refusal>> Checked::read(const Next& body, std::uint64_t most) {
    for (;;) {
        const http::BodyPart came = co_await body({});
        if (came.state == http::BodyPart::State::malformed) co_return too_early();
        const bool ended = came.state == http::BodyPart::State::end;
        come_ += came.bytes.size();
        if (come_ > most) co_return more_than_announced();
        checksum_.add(came.bytes);
        writer_.add(came.bytes);
        if (!ended && !writer_.is_full()) continue;
        const std::string why = co_await writer_.pass_on(part_);
        if (!why.empty()) co_return not_written(why);
        if (auto failure = co_await progress_.count(come_)) co_return failure;
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
Task<std::optional<route::Handled>> append_checked(const FileContext& in, http::Exchange& exchange,
                                                   Resumable& upload, UploadProgress& progress,
                                                   const Next& body) {
    auto checksum = Checksum::read(exchange.head().header("upload-checksum"));
    if (!checksum)
        co_return refuse(exchange, Code::params_invalid,
                         "Upload-Checksum must be sha1 or sha256, a blank, and the checksum in "
                         "base64.");
    Checked checked(in, progress, std::move(*checksum));
    if (const auto failure = co_await checked.receive(body, upload.size - upload.received))
        co_return refuse(exchange, *failure);
    if (!checked.matches()) co_return mismatch(exchange);
    const Next rest = [&checked](std::span<char>) { return checked.next(); };
    co_return co_await append_plain(in, exchange, upload, progress, rest);
}

}  // namespace

Task<std::optional<route::Handled>> append(const FileContext& in, http::Exchange& exchange,
                                           Resumable& upload) {
    const ActiveUpload uploading(in.shared.counts);
    const Next body = [&in, &exchange](std::span<char> room) -> Task<http::BodyPart> {
        const http::BodyPart came = co_await exchange.next_body(room);
        Counts::add(in.shared.counts.received_bytes, came.bytes.size());
        co_return came;
    };
    const bool checked = !exchange.head().header("upload-checksum").empty();
    UploadProgress progress(in, {upload.writer, upload.id, upload.owner, checked});
    std::optional<route::Handled> ended;
    if (checked)
        ended = co_await append_checked(in, exchange, upload, progress, body);
    else
        ended = co_await append_plain(in, exchange, upload, progress, body);
    co_await progress.end();
    co_return ended;
}

}  // namespace svc::file
