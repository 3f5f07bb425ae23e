// What happens to written bytes while the next ones come: they go to the disk, the row counts them
// once they are there, and the quotas count what it does not have yet.
#include <algorithm>
#include <functional>
#include <utility>

#include "file/tus/appender.hpp"
#include "identity/command.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kAdvance =
    "select svc.go_on_with_upload($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint)";
// As often the row says how far the bytes on the disk reach: they are lost if the server is killed.
constexpr std::chrono::seconds kRecorded{1};

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

}  // namespace

// The kernel tells a failure of the disk once, to whoever flushes first: nobody may overlook it.
Task<Appender::Failure> Appender::flushed() {
    if (!flush_) co_return std::nullopt;
    const std::string why = co_await flush_->done.wait();
    flush_.reset();
    if (why.empty()) co_return std::nullopt;
    co_return not_written(why);
}

// The kernel finds bytes a place on the disk in the thread that asks for it, and lets that thread
// wait where the disk is slow. The writing thread has no time for either. A disk that falls behind
// is asked again once it has caught up.
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

Task<Appender::Recorded> Appender::tell_row(const FileContext& in, std::string id,
                                            std::string writer, std::uint64_t received) {
    TextColumns row;
    const FileRules& rules = in.app.files;
    const std::string bytes = std::to_string(received),
                      user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {id, writer, bytes, user_quota, quota};
    const db::Command command = identity::command("svc_go_on_upload", kAdvance, params, &row);
    Recorded out;
    out.outcome = co_await in.system.run({&command, 1});
    if (out.outcome.ok) out.verdict = row.values.at(0);
    co_return out;
}

// Tells the row that so many bytes are safe. One after the other: an earlier number must not come
// later. The disk of PostgreSQL may be busy with this very upload, so nobody waits for it here.
void Appender::begin_record(std::uint64_t received) {
    record_.emplace(
        Record{received, {in_.io, tell_row(in_, upload_.id, upload_.writer, received)}});
}

// Waits until the row is told, and does what it answers.
Task<Appender::Failure> Appender::recorded() {
    if (!record_) co_return std::nullopt;
    const std::uint64_t received = record_->to;
    const Recorded row = co_await record_->done.wait();
    record_.reset();
    if (!row.outcome.ok) co_return refusal(row.outcome);
    const Verdict what = verdict_of(row.verdict);
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

// Makes safe what is written so far, beside the next writes, and records it once it is.
Task<Appender::Failure> Appender::keep_up() {
    const auto ended = [](const Write& write) { return write.done.ended(); };
    const auto left = std::ranges::count_if(writes_, std::not_fn(ended));
    if (auto failure = co_await settle(static_cast<std::size_t>(left))) co_return failure;
    write_out();
    if (record_ && record_->done.ended())
        if (auto failure = co_await recorded()) co_return failure;
    if (flush_ && flush_->done.ended() && !record_) {
        const std::uint64_t safe = flush_->to;
        if (auto failure = co_await flushed()) co_return failure;
        begin_record(safe);
        // The row and the count of what it lacks change one after the other.
        if (progress_.counts())
            if (auto failure = co_await recorded()) co_return failure;
    }
    const bool due = upload_.received > recorded_ && Clock::now() - recorded_at_ >= kRecorded;
    if (due && !flush_ && !record_) {
        FlushJob flushing{file_};
        flush_.emplace(
            Flush{upload_.received,
                  {in_.io, in_.shared.threads.pool().get_executor(), std::move(flushing)}});
    }
    co_return co_await count();
}

}  // namespace svc::file
