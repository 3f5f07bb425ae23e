#include "file/store.hpp"

#include <exception>

#include "file/mime.hpp"
#include "identity/command.hpp"
#include "identity/token.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;

constexpr std::string_view kStore =
    "select svc.store_file($1::uuid, $2::uuid, $3::text, $4::text, $5::bigint, $6::bytea, $7::text,"
    " $8::bigint, $9::bigint)";

struct Looked {
    std::string found, error;
    base::Digest digest{};
};

struct Looking {
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

// The row says that it is stored, so it stays even where the renaming fails: open_stored() does it.
struct Placing {
    std::shared_ptr<Part> part;
    std::string root, id;
    std::string operator()() const {
        try {
            place(root, id, part->name());
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

void failed(std::string_view event, std::string_view why) {
    log::write(log::Level::error, event, {{"what", why}});
}

Task<identity::Result<std::string>> insert(const Filing& in, const Stored& file, Part& part,
                                           const base::Digest& digest) {
    Texts said;
    const std::string size = std::to_string(part.size());
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const std::string sha256 = identity::bytea_text(digest);
    const db::Param params[] = {file.id, file.owner,  file.name,  file.mime, size,
                                sha256,  part.name(), user_quota, quota};
    const db::Command command = identity::command("svc_store_file", kStore, params, &said);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok || said.values.empty()) {
        if (!outcome.lost()) part.discard();
        failed("file_row_not_written", outcome.why().message);
        co_return refusal(Code::meta_insert_failed, "The file could not be recorded. Try again.");
    }
    co_return said.values[0];
}

}  // namespace

Task<identity::Result<Stored>> store(const Filing& in, Stored file, std::shared_ptr<Part> part) {
    Looking looking{part};
    const Looked looked =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(looking));
    if (!looked.error.empty()) {
        failed("file_not_stored", looked.error);
        co_return refusal(Code::storage_error, "The file could not be stored. Try again.");
    }
    const auto kept = type_to_keep(in.app.files, file.mime, looked.found);
    if (!kept) {
        ++in.shared.refused;
        co_return refusal(Code::mime_not_allowed,
                          "The content of the file is of the type " + looked.found +
                              ", which is not the declared one or not allowed.");
    }
    file.mime = *kept;
    file.size = part->size();
    // From here on the row may be there, whether we hear of it or not.
    part->keep();
    const auto said = co_await insert(in, file, *part, looked.digest);
    if (!said) co_return said.error();
    if (*said != "stored") {
        ++in.shared.refused;
        part->discard();
        if (*said == "quota")
            co_return refusal(Code::quota_exceeded,
                              "There is no room for this file. Delete files that nobody needs.");
        co_return refusal(Code::conflict, "This file was uploaded already, or given up.");
    }
    Placing placing{part, in.root, file.id};
    const std::string why =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(placing));
    if (!why.empty()) failed("file_not_renamed", why);
    ++in.shared.stored;
    in.shared.stored_bytes += file.size;
    co_return file;
}

}  // namespace svc::file
