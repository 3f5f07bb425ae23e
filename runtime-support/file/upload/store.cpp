#include "file/upload/store.hpp"

#include <exception>

#include "db/one_value.hpp"
#include "file/kind/mime.hpp"
#include "file/messages.hpp"
#include "file/state.hpp"
#include "file/upload_progress.hpp"
#include "identity/command.hpp"
#include "identity/token.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kWouldFit =
    "select svc.file_would_fit($1::uuid, $2::uuid, $3::bigint, $4::bigint, $5::bigint, $6::uuid)";
constexpr std::string_view kStore =
    "select svc.store_file($1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, $6::bytea, $7::text,"
    " $8::bigint, $9::bigint, $10::uuid)";

constexpr unsigned kStoreRests = 5;  // seconds until another try, where the store is away

struct Looked {
    std::string found, error;
    base::Digest digest{};
};

struct LookupJob {
    std::shared_ptr<Part> part;
    Looked operator()() const {
        Looked out;
        try {
            out.found = found_type(part->head());
            part->flush();
            out.digest = part->digest();
        } catch (const std::exception& error) {
            out.error = error.what();
        }
        return out;
    }
};

// The row says that it is stored, so it stays even where this fails: a reader finds it, and the
// sweep does it again.
struct SettleJob {
    ByteStore& store;
    std::shared_ptr<Part> part;
    std::string id;
    std::string operator()() const {
        try {
            store.settle(id, part->name());
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

void failed(std::string_view event, std::string_view why) {
    log::write(log::Level::error, event, {{"what", why}});
}

struct DropJob {
    ByteStore& store;
    std::shared_ptr<Part> part;
    bool operator()() const {
        try {
            store.drop(part->name());
            return true;
        } catch (const std::exception& error) {
            failed("file_not_dropped", error.what());
            return false;
        }
    }
};

db::Param key_of(const Stored& file) {
    return file.progress.empty() ? db::Param() : db::Param(file.progress);
}

Task<identity::Result<Verdict>> insert(const FileContext& in, const Stored& file,
                                       std::shared_ptr<Part> part, const base::Digest& digest,
                                       bool resumable) {
    TextColumns row;
    const std::string size = std::to_string(part->size());
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const std::string sha256 = identity::bytea_text(digest);
    const db::Param params[] = {file.id, file.owner,   file.name,  file.mime, size,
                                sha256,  part->name(), user_quota, quota,     key_of(file)};
    const db::Command command = identity::command("svc_store_file", kStore, params, &row);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok || row.values.empty()) {
        // The bytes of a resumable upload were acknowledged: its client asks again.
        if (!outcome.lost() && !resumable) co_await drop_part(in, part);
        failed("file_row_not_written", outcome.error().loggable());
        co_return refusal(Code::meta_insert_failed, "The file could not be recorded. Try again.");
    }
    co_return verdict_of(row.values[0]);
}

// Asked before bytes go to the store: what does not fit costs the operator no traffic.
Task<bool> would_fit(const FileContext& in, const Stored& file) {
    const FileRules& rules = in.app.files;
    if (rules.user_quota == 0 && rules.project_quota == 0) co_return true;
    db::OneFlag fits;
    const std::string size = std::to_string(file.size);
    const std::string user_quota = std::to_string(rules.user_quota);
    const std::string quota = std::to_string(rules.project_quota);
    const db::Param params[] = {file.id, file.owner, size, user_quota, quota, key_of(file)};
    const db::Command command = identity::command("svc_file_would_fit", kWouldFit, params, &fits);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    co_return !outcome.ok || fits.set;
}

// A file that the store refused may be there in part, so its name stays until the sweep finds it.
// So does that of a file which the store has when this server has ended: nobody comes back to here.
Task<std::optional<identity::Refusal>> take(const FileContext& in, std::shared_ptr<Part> part,
                                            bool resumable) {
    part->keep();
    const std::string why = co_await in.shared.store->take(part);
    if (why.empty()) co_return std::nullopt;
    if (!resumable) part->discard();
    part->leave_name();
    Counts::add(in.shared.counts.store_failures);
    failed("file_not_taken", why);
    co_return store_is_away();
}

identity::Refusal not_stored(const FileContext& in, Verdict verdict) {
    Counts::add(in.shared.counts.refused);
    if (verdict == Verdict::quota) return no_room();
    return refusal(Code::conflict,
                   "This upload is finished or was cancelled. Request a new upload.");
}

}  // namespace

identity::Refusal store_is_away() {
    identity::Refusal out =
        refusal(Code::unavailable, "The store of files does not answer. Try again in a moment.");
    out.retry_after = kStoreRests;
    return out;
}

Task<> drop_part(const FileContext& in, std::shared_ptr<Part> part) {
    part->discard();
    asio::thread_pool& pool = in.shared.store->threads(in.shared.threads).pool();
    DropJob dropping{*in.shared.store, part};
    if (co_await outgoing::off_thread(pool, std::move(dropping))) co_return;
    part->leave_name();
}

Task<identity::Result<Stored>> store(const FileContext& in, Stored file,
                                     std::shared_ptr<Part> part) {
    LookupJob looking{part};
    const Looked looked =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(looking));
    if (!looked.error.empty()) {
        failed("file_not_stored", looked.error);
        co_return refusal(Code::storage_error, kFileNotStored);
    }
    const auto kept = type_to_keep(in.app.files, file.mime, looked.found);
    if (!kept) {
        Counts::add(in.shared.counts.refused);
        co_return refusal(Code::mime_not_allowed,
                          "The content of the file is of the type " + looked.found +
                              ", which is not the declared one or not allowed.");
    }
    file.mime = *kept;
    file.size = part->size();
    const bool fits = co_await would_fit(in, file);
    if (!fits) co_return not_stored(in, Verdict::quota);
    const bool resumable = part->kept();
    if (const auto away = co_await take(in, part, resumable)) co_return *away;
    // It stays kept: from here on the row may exist, even if no answer arrives.
    const auto stored = co_await insert(in, file, part, looked.digest, resumable);
    if (!stored) co_return stored.error();
    if (*stored != Verdict::stored) {
        co_await drop_part(in, part);
        co_return not_stored(in, *stored);
    }
    SettleJob settling{*in.shared.store, part, file.id};
    const std::string why =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(settling));
    if (!why.empty()) failed("file_not_settled", why);
    Counts::add(in.shared.counts.stored);
    Counts::add(in.shared.counts.stored_bytes, file.size);
    co_return file;
}

}  // namespace svc::file
