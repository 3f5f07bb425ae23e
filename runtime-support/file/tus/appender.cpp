#include "file/tus/appender.hpp"

#include <utility>

#include "log/log.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kGone = "another request has it";
constexpr std::size_t kWaiting = 2;            // batches that are written or wait for it
constexpr std::size_t kLeastRoom = 64 * 1024;  // with less a batch is passed on

struct AppendJob {
    std::shared_ptr<UploadFile> file;
    std::shared_ptr<Batch> batch;
    bool flush = false;
    // Empty: done.
    std::string operator()() const {
        try {
            if (!batch->bytes().empty() && !file->write(batch->bytes())) return std::string(kGone);
            if (flush) file->flush();
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

}  // namespace

identity::Refusal taken_over() {
    return refusal(Code::conflict, "Another request is writing to this upload. Try again.");
}

identity::Refusal not_written(std::string_view why) {
    log::write(log::Level::error, "upload_not_written", {{"what", why}});
    return refusal(Code::storage_error, "The upload could not be stored. Try again.");
}

identity::Refusal more_than_announced() {
    return refusal(Code::too_large, "The upload has more bytes than were announced.");
}

identity::Refusal too_early() { return refusal(Code::bad_request, "The body ended too early."); }

std::shared_ptr<Batch> Appender::empty_batch() {
    if (empty_.empty()) return std::make_shared<Batch>();
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
        upload_.received += writes_.front().batch->bytes().size();
        writes_.front().batch->clear();
        empty_.push_back(std::move(writes_.front().batch));
        writes_.pop_front();
    }
    co_return std::nullopt;
}

Task<Appender::Failure> Appender::pass_on(bool last) {
    if (auto failure = co_await settle(kWaiting - 1)) co_return failure;
    if (pending_->bytes().empty() && recorded_ == passed_) co_return std::nullopt;
    passed_ += pending_->bytes().size();
    AppendJob appending{file_, pending_, last};
    writes_.push_back({pending_, {in_.io, strand_, std::move(appending)}});
    pending_ = empty_batch();
    if (!last) co_return co_await keep_up();
    if (auto failure = co_await settle(0)) co_return failure;
    if (auto failure = co_await flushed()) co_return failure;
    if (auto failure = co_await recorded()) co_return failure;
    begin_record(upload_.received);
    co_return co_await recorded();
}

// Bytes that have arrived wait for more, unless something must be recorded.
bool Appender::may_wait() const {
    const bool safe = flush_ && flush_->done.ended() && !record_;
    const bool told = record_ && record_->done.ended();
    return pending_->room().size() >= kLeastRoom && !safe && !told;
}

// Bytes that did not come into the room of the pending batch may be more than fit there.
Task<Appender::Failure> Appender::add(std::string_view bytes) {
    while (!bytes.empty()) {
        pending_->take(bytes);
        if (bytes.empty()) break;
        if (auto failure = co_await pass_on(false)) co_return failure;
    }
    co_return std::nullopt;
}

// Keeps the bytes that arrived before a connection broke.
Task<Appender::Failure> Appender::take() {
    std::uint64_t come = upload_.received;
    for (;;) {
        const http::BodyPart piece = co_await next_(pending_->room());
        come += piece.bytes.size();
        if (come > upload_.size) {
            co_await pass_on(true);
            co_return more_than_announced();
        }
        if (auto failure = co_await add(piece.bytes)) co_return failure;
        const bool ended = piece.state != http::BodyPart::State::more;
        if (!ended && may_wait()) continue;
        if (auto failure = co_await pass_on(ended)) co_return failure;
        if (!ended) continue;
        upload_.hashed = file_->hashed();
        if (piece.state == http::BodyPart::State::malformed) co_return too_early();
        co_return std::nullopt;
    }
}

}  // namespace svc::file
