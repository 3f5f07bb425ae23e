#include "file/tus/appender.hpp"

#include <utility>

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kAdvance =
    "select svc.go_on_with_upload($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint)";
constexpr std::string_view kGone = "another request has it";
constexpr std::size_t kWaiting = 2;  // batches that are written or wait for it
// As often the row says how far the bytes on the disk reach: they are lost if the server is killed.
constexpr std::chrono::seconds kRecorded{1};

struct AppendJob {
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
    AppendJob appending{file_, pending_, flush};
    writes_.push_back({pending_, {in_.io, strand_, std::move(appending)}});
    pending_ = empty_batch();
    if (!flush) co_return co_await count();
    if (auto failure = co_await settle(0)) co_return failure;
    co_return co_await record();
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

Task<Appender::Failure> Appender::record() {
    TextColumns row;
    const FileRules& rules = in_.app.files;
    const std::string bytes = std::to_string(upload_.received),
                      user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {upload_.id, upload_.writer, bytes, user_quota, quota};
    const db::Command command = identity::command("svc_go_on_upload", kAdvance, params, &row);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    const Verdict what = verdict_of(row.values.at(0));
    if (what == Verdict::taken) co_return taken_over();
    if (what == Verdict::quota) {
        co_await discard(in_, upload_);
        co_return no_room();
    }
    progress_.recorded();
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

}  // namespace svc::file
