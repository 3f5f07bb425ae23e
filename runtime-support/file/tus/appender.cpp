#include "file/tus/appender.hpp"

#include <algorithm>
#include <utility>

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kAdvance =
    "select svc.go_on_with_upload($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint)";
constexpr std::string_view kGone = "another request has it";
constexpr std::size_t kWaiting = 2;            // batches that are written or wait for it
constexpr std::size_t kLeastRoom = 64 * 1024;  // with less a batch is passed on
// As often the row says how far the bytes on the disk reach: they are lost if the server is killed.
constexpr std::chrono::seconds kRecorded{1};

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

struct WriteOutJob {
    std::shared_ptr<UploadFile> file;
    std::uint64_t from, to;
    bool operator()() const {
        file->write_out(from, to);
        return true;
    }
};

struct FlushJob {
    std::shared_ptr<UploadFile> file;
    std::string operator()() const {
        try {
            file->flush();
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

identity::Refusal taken_over() {
    return refusal(Code::conflict, "Another request is writing to this upload. Try again.");
}

}  // namespace

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
    co_return co_await record(upload_.received);
}

// The kernel tells a failure of the disk once, to whoever flushes first: nobody may overlook it.
Task<Appender::Failure> Appender::flushed() {
    if (!flush_) co_return std::nullopt;
    const std::string why = co_await flush_->done.wait();
    flush_.reset();
    if (why.empty()) co_return std::nullopt;
    co_return not_written(why);
}

// Makes safe what is written so far, beside the next writes, and records it once it is.
Task<Appender::Failure> Appender::keep_up() {
    const auto ended = [](const Write& write) { return write.done.ended(); };
    const auto left = std::ranges::count_if(writes_, std::not_fn(ended));
    if (auto failure = co_await settle(static_cast<std::size_t>(left))) co_return failure;
    write_out();
    if (flush_ && flush_->done.ended()) {
        const std::uint64_t safe = flush_->to;
        if (auto failure = co_await flushed()) co_return failure;
        if (auto failure = co_await record(safe)) co_return failure;
    }
    const bool due = upload_.received > recorded_ && Clock::now() - recorded_at_ >= kRecorded;
    if (due && !flush_) {
        FlushJob flushing{file_};
        flush_.emplace(
            Flush{upload_.received,
                  {in_.io, in_.shared.threads.pool().get_executor(), std::move(flushing)}});
    }
    co_return co_await count();
}

// The kernel gives bytes their place on the disk in the thread that asks for it, which takes a
// tenth of a second for a gigabyte, and longer where the disk is slow. The writing thread has no
// time for that. A disk that falls behind is asked again once it has caught up.
void Appender::write_out() {
    if (upload_.received - written_out_ < kWrittenOut) return;
    if (writing_out_ && !writing_out_->ended()) return;
    WriteOutJob writing{file_, written_out_, upload_.received};
    written_out_ = upload_.received;
    writing_out_.emplace(in_.io, in_.shared.threads.pool().get_executor(), std::move(writing));
}

// The quota holds for what has come, too: many uploads that are never finished would fill the disk.
// What no longer fits is not kept.
Task<Appender::Failure> Appender::count() {
    auto failure = co_await progress_.count(passed_ - recorded_);
    if (failure && failure->error.code == Code::quota_exceeded) {
        if (auto gone = co_await settle(0)) co_return gone;  // the bytes are another writer's
        co_await discard(in_, upload_);
    }
    co_return failure;
}

// Records that so many bytes are safe.
Task<Appender::Failure> Appender::record(std::uint64_t received) {
    TextColumns row;
    const FileRules& rules = in_.app.files;
    const std::string bytes = std::to_string(received),
                      user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {upload_.id, upload_.writer, bytes, user_quota, quota};
    const db::Command command = identity::command("svc_go_on_upload", kAdvance, params, &row);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    const Verdict what = verdict_of(row.values.at(0));
    if (what == Verdict::taken) co_return taken_over();
    if (what == Verdict::quota) {
        if (auto gone = co_await settle(0)) co_return gone;
        co_await discard(in_, upload_);
        co_return no_room();
    }
    progress_.recorded();
    recorded_ = received;
    recorded_at_ = Clock::now();
    co_return std::nullopt;
}

// Bytes that have arrived wait for more, unless something must be recorded.
bool Appender::may_wait() const {
    return pending_->room().size() >= kLeastRoom && !(flush_ && flush_->done.ended());
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
