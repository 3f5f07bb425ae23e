// The routes of resumable uploads but for their beginning.
#include "file/tus/tus.hpp"

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "file/messages.hpp"
#include "file/numbers.hpp"
#include "file/tus/checksum.hpp"
#include "identity/command.hpp"

namespace svc::file {
namespace {

using identity::refusal;
using route::Handled;

constexpr std::string_view kTusVersion = "1.0.0";
constexpr std::string_view kExtensions = "creation,expiration,termination,checksum";
constexpr std::string_view kGiveUp = "select svc.give_up_upload($1::uuid)";

}  // namespace

void write_protocol(http::Reply& reply, const FileRules& rules) {
    reply.header("Tus-Resumable", kTusVersion);
    reply.header("Tus-Version", kTusVersion);
    reply.header("Tus-Extension", kExtensions);
    reply.header("Tus-Checksum-Algorithm", Checksum::kAlgorithms);
    reply.header("Tus-Max-Size", std::to_string(rules.max_size));
}

bool speaks_tus(http::Exchange& exchange) {
    http::Reply& reply = exchange.reply();
    reply.header("Tus-Resumable", kTusVersion);
    if (exchange.head().header("tus-resumable") == kTusVersion) return true;
    reply.header("Tus-Version", kTusVersion);
    identity::refuse(reply, refusal(Code::params_invalid, "Send Tus-Resumable: 1.0.0."));
    reply.status = 412;
    return false;
}

Task<Handled> show_resumable(const FileContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return Handled::answered;
    Resumable upload;
    const auto ended = co_await take(in, request, caller, upload);
    if (ended) co_return *ended;
    // A server was killed before it had finished it.
    if (upload.state == FileState::uploading && upload.received == upload.size) {
        const auto failure = co_await finish(in, upload);
        if (failure) co_return refuse(exchange, *failure);
    }
    write_offset(exchange, upload);
    exchange.reply().header("Upload-Length", std::to_string(upload.size));
    if (!upload.metadata.empty()) exchange.reply().header("Upload-Metadata", upload.metadata);
    exchange.reply().body = R"({"ok":true,"fileId":")" + upload.id + "\"}";
    co_return Handled::answered;
}

Task<Handled> append_resumable(const FileContext& in, route::Request& request,
                               const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return Handled::answered;
    if (exchange.head().header("content-type") != "application/offset+octet-stream")
        co_return refuse(exchange, Code::params_invalid,
                         "The content type must be application/offset+octet-stream.");
    Resumable upload;
    const auto ended = co_await take(in, request, caller, upload);
    if (ended) co_return *ended;
    if (whole(exchange.head().header("upload-offset")) != upload.received)
        co_return refuse(exchange, Code::conflict,
                         "Upload-Offset must be " + std::to_string(upload.received) + ".");
    if (const auto refused = co_await append(in, exchange, upload)) co_return *refused;
    if (upload.state == FileState::uploading && upload.received == upload.size) {
        const auto refused = co_await finish(in, upload);
        if (refused) co_return refuse(exchange, *refused);
    }
    write_offset(exchange, upload);
    exchange.reply().status = 204;
    co_return Handled::answered;
}

Task<Handled> end_resumable(const FileContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!speaks_tus(exchange)) co_return Handled::answered;
    const auto allowed = check_uploader(in, caller, true);
    if (!allowed) co_return refuse(exchange, allowed.error());
    if (!base::is_uuid(request.id)) co_return refuse(exchange, Code::invalid_id, kBadFileId);
    TextColumns row;
    const db::Param params[] = {request.id};
    const auto ended = co_await run_as(
        in, exchange, caller, identity::command("svc_give_up_upload", kGiveUp, params, &row));
    if (ended) co_return *ended;
    if (row.values.at(0) != "t")
        co_return refuse(exchange, Code::not_found, "You have no such upload.");
    co_await remove_bytes(in, base::lower(request.id));
    exchange.reply().status = 204;
    co_return Handled::answered;
}

// Clients whose network lets no PATCH or DELETE through send a POST that names the method.
Task<Handled> override_resumable(const FileContext& in, route::Request& request,
                                 const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    const std::string_view method = exchange.head().header("x-http-method-override");
    if (method == "PATCH") co_return co_await append_resumable(in, request, caller);
    if (method == "DELETE") co_return co_await end_resumable(in, request, caller);
    if (method == "HEAD") co_return co_await show_resumable(in, request, caller);
    exchange.reply().header("Allow", "GET, HEAD, PATCH, DELETE");
    co_return refuse(exchange, Code::method_not_allowed,
                     "This path answers only HEAD, PATCH and DELETE. A POST names one of them in "
                     "X-HTTP-Method-Override.");
}

}  // namespace svc::file
