// POST /files/tus: what is going to be uploaded, and where.
#include "base/app_paths.hpp"
#include "file/kind/mime.hpp"
#include "file/kind/name.hpp"
#include "file/messages.hpp"
#include "file/numbers.hpp"
#include "file/tus/tus.hpp"
#include "file/tus/upload_metadata.hpp"
#include "file/upload_progress.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using identity::refusal;
using route::Handled;

constexpr std::string_view kBegin =
    "select svc.begin_upload($1::text, $2::text, $3::bigint, $4::bigint, $5::bigint,"
    " $6::text)::text";

struct CreateJob {
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

// The upload as the client announces it.
struct Announced {
    std::string mime, name;
    std::string metadata;  // the whole header
    std::uint64_t size = 0;
};

identity::Result<Announced> read_announced(const FileRules& rules, const http::Head& head) {
    const auto size = whole(head.header("upload-length"));
    if (!size || *size == 0)
        return refusal(Code::invalid_size, "Upload-Length must be the size in bytes.");
    if (*size > rules.max_size)
        return refusal(Code::too_large,
                       "A file may have at most " + in_words(rules.max_size) + ".");
    const std::string_view line = head.header("upload-metadata");
    Announced out{normal_type(upload_metadata(line, "filetype")),
                  clean_name(upload_metadata(line, "filename")), kept_metadata(line), *size};
    if (out.mime.empty()) out.mime = "application/octet-stream";
    if (out.mime != "application/octet-stream" && !is_allowed(rules, out.mime))
        return refusal(Code::mime_not_allowed, kTypeNotAllowed);
    return out;
}

}  // namespace

Task<Handled> begin_resumable(const FileContext& in, route::Request& request,
                              const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return Handled::answered;
    const auto allowed = check_uploader(in, caller, false);
    if (!allowed) co_return refuse(exchange, allowed.error());
    const auto announced = read_announced(in.app.files, exchange.head());
    if (!announced) co_return refuse(exchange, announced.error());
    const std::string bytes = std::to_string(announced->size);
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const db::Param params[] = {announced->mime, announced->name, bytes,
                                user_quota,      quota,           announced->metadata};
    TextColumns made;
    const auto ended = co_await run_as(
        in, exchange, caller, identity::command("svc_begin_upload", kBegin, params, &made));
    if (ended) co_return *ended;
    if (made.values.empty() || made.values[0].empty()) co_return refuse(exchange, no_room());
    CreateJob making{in.root, made.values[0]};
    const std::string why =
        co_await outgoing::off_thread(in.shared.threads.pool(), std::move(making));
    if (!why.empty()) {
        log::write(log::Level::error, "upload_not_begun", {{"what", why}});
        co_return refuse(exchange, Code::storage_error,
                         "The upload could not be started. Try again.");
    }
    Counts::add(in.shared.counts.begun);
    exchange.reply().status = 201;
    exchange.reply().header("Location",
                            std::string(base::kApiPath) + "/files/tus/" + made.values[0]);
    exchange.reply().body = R"({"ok":true,"fileId":")" + made.values[0] + "\"}";
    co_return Handled::answered;
}

}  // namespace svc::file
