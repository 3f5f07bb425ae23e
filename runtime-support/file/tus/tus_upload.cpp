// A resumable upload: its row, its bytes, and its end.
#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/uuid.hpp"
#include "file/messages.hpp"
#include "file/numbers.hpp"
#include "file/tus/tus.hpp"
#include "file/upload/store.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;
using route::Handled;

constexpr std::string_view kTake =
    "select mime, name, size::text, received::text, state, expires, before, metadata"
    " from svc.take_upload($1::uuid, $2::uuid)";
constexpr std::string_view kDrop = "select svc.drop_upload($1::uuid, $2::uuid)";
constexpr std::string_view kStoredUpload = "select id from svc.stored_file($1::uuid)";

// The answer of the disk; failed: there is none.
template <class Value>
struct DiskResult {
    Value value{};
    bool failed = false;
};

struct TakeJob {
    std::string root, id;
    std::unique_ptr<Hashed> hashed;
    DiskResult<Part::Taken> operator()() {
        try {
            return {Part::of_upload(root, id, std::move(hashed))};
        } catch (const std::exception& error) {
            log::write(log::Level::error, "upload_not_read", {{"what", error.what()}});
            return {{}, true};
        }
    }
};

struct ClaimJob {
    std::string root, id, before, writer;
    DiskResult<Claim> operator()() const {
        try {
            return {claim_upload(root, id, before, writer)};
        } catch (const std::exception& error) {
            log::write(log::Level::error, "upload_not_claimed", {{"what", error.what()}});
            return {{}, true};
        }
    }
};

// If another request is storing the upload, it finds that the row is gone.
struct RemoveJob {
    std::string root, id;
    ByteStore& store;
    bool operator()() const {
        try {
            const std::string name = name_of_upload(root, id);
            if (!name.empty() && remove_unfinished(root, name) && !is_unfinished(name))
                store.drop(name);
            return true;
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "upload_not_removed", {{"what", error.what()}});
            return false;
        }
    }
};

identity::Refusal stored_now() {
    return refusal(Code::conflict, "Another request stores this upload. Ask again.");
}

identity::Refusal not_read() {
    return refusal(Code::storage_error, "The upload cannot be read now. Try again.");
}

Task<> drop_row(const FileContext& in, const Resumable& upload) {
    const db::Param params[] = {upload.id, upload.owner};
    const db::Command command = identity::command("svc_drop_upload", kDrop, params);
    co_await in.system.run({&command, 1});
}

Task<bool> is_stored(const FileContext& in, const Resumable& upload) {
    TextColumns ids;
    const db::Param params[] = {upload.id};
    const db::Command command = identity::command("svc_upload_stored", kStoredUpload, params, &ids);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    co_return outcome.ok && !ids.values.empty();
}

// Gives the bytes to this writer alone.
Task<std::optional<identity::Refusal>> claim(const FileContext& in, Resumable& upload,
                                             std::string before) {
    ClaimJob claiming{in.root, upload.id, std::move(before), upload.writer};
    const auto claimed =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(claiming));
    if (claimed.failed) co_return not_read();
    if (claimed.value == Claim::busy) co_return stored_now();
    if (claimed.value == Claim::done) co_return std::nullopt;
    // Another request may have finished it while this one waited.
    const bool stored = co_await is_stored(in, upload);
    if (!stored) co_return refusal(Code::storage_error, kUploadLost);
    upload.state = FileState::stored;
    upload.received = upload.size;
    co_return std::nullopt;
}

}  // namespace

Task<std::optional<Handled>> take(const FileContext& in, route::Request& request,
                                  const Caller& caller, Resumable& out) {
    http::Exchange& exchange = request.exchange;
    const auto allowed = check_uploader(in, caller, true);
    if (!allowed) co_return refuse(exchange, allowed.error());
    if (!base::is_uuid(request.id)) co_return refuse(exchange, Code::invalid_id, kBadFileId);
    out.id = base::lower(request.id);
    out.owner = caller.user->id;
    out.writer = base::new_uuid();
    TextColumns row(8);
    const db::Param params[] = {out.id, out.writer};
    const auto ended = co_await run_as(in, exchange, caller,
                                       identity::command("svc_take_upload", kTake, params, &row));
    if (ended) co_return ended;
    if (row.values.empty())
        co_return refuse(exchange, Code::not_found,
                         "You have no such upload, or it is older than a day and was removed.");
    out.mime = row.values[0];
    out.name = row.values[1];
    out.size = whole(row.values[2]).value_or(0);
    out.state = state_of(row.values[4]);
    out.expires = row.values[5];
    out.metadata = row.values[7];
    out.received = out.state == FileState::stored ? out.size : whole(row.values[3]).value_or(0);
    if (out.state == FileState::stored) co_return std::nullopt;
    if (const auto refused = co_await claim(in, out, std::move(row.values[6])))
        co_return refuse(exchange, *refused);
    out.hashed = in.shared.hashes.take(out.id, out.received);
    co_return std::nullopt;
}

Task<> remove_bytes(const FileContext& in, std::string id) {
    ByteStore& store = *in.shared.store;
    RemoveJob removing{in.root, std::move(id), store};
    co_await outgoing::off_thread(store.threads(in.shared.threads).pool(), std::move(removing));
}

Task<> discard(const FileContext& in, const Resumable& upload) {
    co_await drop_row(in, upload);
    co_await remove_bytes(in, upload.id);
}

Task<std::optional<identity::Refusal>> finish(const FileContext& in, Resumable& upload) {
    TakeJob taking{in.root, upload.id, std::move(upload.hashed)};
    const auto taken = co_await outgoing::off_thread(in.shared.threads.pool(), std::move(taking));
    if (taken.failed) co_return not_read();
    if (taken.value.busy) co_return stored_now();
    const std::shared_ptr<Part> part = taken.value.part;
    if (!part) {
        // Another request may have finished it while this one waited.
        const bool stored = co_await is_stored(in, upload);
        if (stored) {
            upload.state = FileState::stored;
            co_return std::nullopt;
        }
    }
    if (!part || part->size() != upload.size) {
        if (part) part->discard();
        co_await drop_row(in, upload);
        co_return refusal(Code::storage_error, kUploadLost);
    }
    const Stored file{upload.id, upload.owner, upload.name, upload.mime, 0, {}};
    const auto stored = co_await store(in, file, part);
    if (stored) {
        upload.state = FileState::stored;
        co_return std::nullopt;
    }
    const Code code = stored.error().error.code;
    if (code == Code::mime_not_allowed || code == Code::quota_exceeded) {
        // An earlier try may have left something in the store.
        co_await drop_row(in, upload);
        co_await drop_part(in, part);
    }
    co_return stored.error();
}

void write_offset(http::Exchange& exchange, const Resumable& upload) {
    http::Reply& reply = exchange.reply();
    reply.header("Upload-Offset", std::to_string(upload.received));
    if (upload.state != FileState::stored) reply.header("Upload-Expires", upload.expires);
    reply.header("Cache-Control", "no-store");
}

}  // namespace svc::file
