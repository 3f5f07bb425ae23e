// /files/tus: resumable uploads (https://tus.io, protocol 1.0: creation, expiration, termination).
#include <ctime>

#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "base/uuid.hpp"
#include "file/filing.hpp"
#include "file/mime.hpp"
#include "file/name.hpp"
#include "file/numbers.hpp"
#include "file/store.hpp"
#include "file/upload_metadata.hpp"
#include "identity/command.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;
using route::Handled;

constexpr std::string_view kBegin =
    "select svc.begin_upload($1::text, $2::text, $3::bigint, $4::bigint, $5::bigint)::text";
constexpr std::string_view kTake =
    "select mime, name, size::text, received::text, state, expires"
    " from svc.take_upload($1::uuid, $2::uuid)";
constexpr std::string_view kAdvance =
    "select svc.go_on_with_upload($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint)";
constexpr std::string_view kDrop = "select svc.drop_upload($1::uuid, $2::uuid)";
constexpr std::string_view kStoredUpload = "select id from svc.stored_file($1::uuid)";
constexpr std::string_view kGiveUp = "select svc.give_up_upload($1::uuid)";
constexpr std::size_t kBatch = 256 * 1024;               // bytes, written at once
constexpr std::uint64_t kRecorded = 4ULL * 1024 * 1024;  // bytes, after which the row says so

// Every answer names the version. False: the client speaks another one.
bool speaks_tus(http::Exchange& exchange) {
    exchange.reply().header("Tus-Resumable", "1.0.0");
    return exchange.head().header("tus-resumable") == "1.0.0";
}

Handled wrong_version(http::Exchange& exchange) {
    exchange.reply().header("Tus-Version", "1.0.0");
    identity::refuse(exchange.reply(), refusal(Code::params_invalid, "Send Tus-Resumable: 1.0.0."));
    exchange.reply().status = 412;
    return Handled::answered;
}

struct Making {
    std::string root, id;
    std::string operator()() const {
        try {
            make_upload(root, id);
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

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

struct Taking {
    std::string root, id;
    std::shared_ptr<Part> operator()() const {
        try {
            return Part::of_upload(root, id);
        } catch (const std::exception& error) {
            log::write(log::Level::error, "upload_not_read", {{"what", error.what()}});
            return nullptr;
        }
    }
};

struct Removing {
    std::string root, id;
    bool operator()() const {
        remove_upload(root, id);
        return true;
    }
};

// An upload as its row has it, and this writer's claim to it.
struct Resumable {
    std::string id, owner, writer, mime, name, state, expires;
    std::uint64_t size = 0, received = 0;
};

Task<std::optional<Handled>> take(const Filing& in, route::Request& request, const Caller& caller,
                                  Resumable& out) {
    http::Exchange& exchange = request.exchange;
    const auto allowed = check_uploader(in, caller, true);
    if (!allowed) co_return refuse(exchange, allowed.error());
    if (!json::is_uuid(request.id))
        co_return refuse(exchange, Code::invalid_id, "The id of a file is a uuid.");
    out.id = base::lower(request.id);
    out.owner = caller.user->id;
    out.writer = base::new_uuid();
    Texts row(6);
    const db::Param params[] = {out.id, out.writer};
    const auto ended = co_await run_as(in, exchange, caller,
                                       identity::command("svc_take_upload", kTake, params, &row));
    if (ended) co_return ended;
    if (row.values.empty())
        co_return refuse(exchange, Code::not_found,
                         "You have no such upload, or it has expired after a day.");
    out.mime = row.values[0];
    out.name = row.values[1];
    out.size = whole(row.values[2]).value_or(0);
    out.state = row.values[4];
    out.expires = row.values[5];
    out.received = out.state == "stored" ? out.size : whole(row.values[3]).value_or(0);
    co_return std::nullopt;
}

Task<bool> drop(const Filing& in, const Resumable& upload) {
    const db::Param params[] = {upload.id, upload.owner};
    const db::Command command = identity::command("svc_drop_upload", kDrop, params);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    co_return outcome.ok;
}

Task<bool> is_stored(const Filing& in, const Resumable& upload) {
    Texts ids;
    const db::Param params[] = {upload.id};
    const db::Command command = identity::command("svc_upload_stored", kStoredUpload, params, &ids);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    co_return outcome.ok && !ids.values.empty();
}

// All bytes are there. What is refused is not kept.
Task<std::optional<identity::Refusal>> finish(const Filing& in, const Resumable& upload) {
    Taking taking{in.root, upload.id};
    const auto part = co_await outgoing::off_thread(in.shared.threads.pool(), std::move(taking));
    if (!part) {
        // Another request may have finished it while this one waited.
        const bool stored = co_await is_stored(in, upload);
        if (stored) co_return std::nullopt;
    }
    if (!part || part->size() != upload.size) {
        if (part) part->discard();
        co_await drop(in, upload);
        co_return refusal(Code::storage_error, "The upload was lost. Begin it again.");
    }
    const Stored file{upload.id, upload.owner, upload.name, upload.mime, 0};
    const auto stored = co_await store(in, file, part);
    if (stored) co_return std::nullopt;
    const Code code = stored.error().error.code;
    if (code == Code::mime_not_allowed || code == Code::quota_exceeded) {
        part->discard();
        co_await drop(in, upload);
    }
    co_return stored.error();
}

void tell(http::Exchange& exchange, const Resumable& upload) {
    http::Reply& reply = exchange.reply();
    reply.header("Upload-Offset", std::to_string(upload.received));
    if (upload.state != "stored") reply.header("Upload-Expires", upload.expires);
    reply.header("Cache-Control", "no-store");
}

// What comes in one PATCH.
class Appender {
  public:
    Appender(const Filing& in, http::Exchange& exchange, Resumable& upload)
        : in_(in), exchange_(exchange), upload_(upload), recorded_(upload.received) {
        pending_->reserve(kBatch + 32 * 1024);
    }

    Task<std::optional<identity::Refusal>> take();

  private:
    Task<std::optional<identity::Refusal>> write(bool record);
    Task<std::optional<identity::Refusal>> record(std::uint64_t received);

    const Filing& in_;
    http::Exchange& exchange_;
    Resumable& upload_;
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
    if (!why.empty()) {
        log::write(log::Level::error, "upload_not_written", {{"what", why}});
        co_return refusal(Code::storage_error, "The upload could not be stored. Try again.");
    }
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
        co_return refusal(Code::conflict, "Another request goes on with this upload.");
    if (what == "quota") {
        co_await drop(in_, upload_);
        Removing removing{in_.root, upload_.id};
        co_await outgoing::off_thread(in_.shared.threads.pool(), std::move(removing));
        co_return refusal(Code::quota_exceeded,
                          "There is no room for this file. Delete files that nobody needs.");
    }
    recorded_ = received;
    co_return std::nullopt;
}

// What came before a connection broke is kept.
Task<std::optional<identity::Refusal>> Appender::take() {
    for (;;) {
        const http::BodyPart piece = co_await exchange_.next_body();
        const bool broken = piece.state == http::BodyPart::State::malformed;
        const bool over = upload_.received + pending_->size() + piece.bytes.size() > upload_.size;
        if (over) {
            co_await write(true);
            co_return refusal(Code::too_large, "The upload has more bytes than were announced.");
        }
        *pending_ += piece.bytes;
        const bool ended = piece.state != http::BodyPart::State::more;
        if (!ended && pending_->size() < kBatch) continue;
        const auto failure = co_await write(ended);
        if (failure) co_return failure;
        if (broken) co_return refusal(Code::bad_request, "The body ended too early.");
        if (ended) co_return std::nullopt;
    }
}

}  // namespace

Task<Handled> begin_resumable(const Filing& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    const http::Head& head = exchange.head();
    if (!speaks_tus(exchange)) co_return wrong_version(exchange);
    const auto allowed = check_uploader(in, caller, false);
    if (!allowed) co_return refuse(exchange, allowed.error());
    const auto size = whole(head.header("upload-length"));
    if (!size || *size == 0)
        co_return refuse(exchange, Code::invalid_size, "Upload-Length must be the size in bytes.");
    if (*size > in.app.files.max_size)
        co_return refuse(exchange, Code::too_large,
                         "A file may have at most " + in_words(in.app.files.max_size) + ".");
    const std::string_view line = head.header("upload-metadata");
    std::string mime = normal_type(upload_metadata(line, "filetype"));
    if (mime.empty()) mime = "application/octet-stream";
    if (mime != "application/octet-stream" && !is_allowed(in.app.files, mime))
        co_return refuse(exchange, Code::mime_not_allowed, "The app takes no files of this type.");
    const std::string name = clean_name(upload_metadata(line, "filename"));
    const std::string bytes = std::to_string(*size);
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const db::Param params[] = {mime, name, bytes, user_quota, quota};
    Texts made;
    const auto ended = co_await run_as(
        in, exchange, caller, identity::command("svc_begin_upload", kBegin, params, &made));
    if (ended) co_return *ended;
    if (made.values.empty() || made.values[0].empty())
        co_return refuse(exchange, Code::quota_exceeded,
                         "There is no room for this file. Delete files that nobody needs.");
    Making making{in.root, made.values[0]};
    const std::string why =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(making));
    if (!why.empty()) {
        log::write(log::Level::error, "upload_not_begun", {{"what", why}});
        co_return refuse(exchange, Code::storage_error,
                         "The upload could not be begun. Try again.");
    }
    exchange.reply().status = 201;
    exchange.reply().header("Location", "/__svc/files/tus/" + made.values[0]);
    exchange.reply().body = R"({"ok":true,"fileId":")" + made.values[0] + "\"}";
    co_return Handled::answered;
}

Task<Handled> tell_resumable(const Filing& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return wrong_version(exchange);
    Resumable upload;
    const auto ended = co_await take(in, request, caller, upload);
    if (ended) co_return *ended;
    // A server was killed before it had finished it.
    if (upload.state == "uploading" && upload.received == upload.size) {
        const auto failure = co_await finish(in, upload);
        if (failure) co_return refuse(exchange, *failure);
        upload.state = "stored";
    }
    tell(exchange, upload);
    exchange.reply().header("Upload-Length", std::to_string(upload.size));
    exchange.reply().body = R"({"ok":true,"fileId":")" + upload.id + "\"}";
    co_return Handled::answered;
}

Task<Handled> go_on(const Filing& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return wrong_version(exchange);
    if (exchange.head().header("content-type") != "application/offset+octet-stream")
        co_return refuse(exchange, Code::params_invalid,
                         "The content type must be application/offset+octet-stream.");
    Resumable upload;
    const auto ended = co_await take(in, request, caller, upload);
    if (ended) co_return *ended;
    if (whole(exchange.head().header("upload-offset")) != upload.received)
        co_return refuse(exchange, Code::conflict,
                         "Upload-Offset must be " + std::to_string(upload.received) + ".");
    Appender appender(in, exchange, upload);
    const auto failure = co_await appender.take();
    if (failure) co_return refuse(exchange, *failure);
    if (upload.state == "uploading" && upload.received == upload.size) {
        const auto refused = co_await finish(in, upload);
        if (refused) co_return refuse(exchange, *refused);
        upload.state = "stored";
    }
    tell(exchange, upload);
    exchange.reply().status = 204;
    co_return Handled::answered;
}

Task<Handled> give_up(const Filing& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return wrong_version(exchange);
    const auto allowed = check_uploader(in, caller, true);
    if (!allowed) co_return refuse(exchange, allowed.error());
    if (!json::is_uuid(request.id))
        co_return refuse(exchange, Code::invalid_id, "The id of a file is a uuid.");
    Texts said;
    const db::Param params[] = {request.id};
    const auto ended = co_await run_as(
        in, exchange, caller, identity::command("svc_give_up_upload", kGiveUp, params, &said));
    if (ended) co_return *ended;
    if (said.values.at(0) != "t")
        co_return refuse(exchange, Code::not_found, "You have no such upload.");
    Removing removing{in.root, base::lower(request.id)};
    co_await outgoing::off_thread(in.shared.threads.pool(), std::move(removing));
    exchange.reply().status = 204;
    co_return Handled::answered;
}

}  // namespace svc::file
