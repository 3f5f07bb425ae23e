// GET and HEAD /files/<id>: as whoever has an app key, the session of a page, or a ticket.
#include <ctime>

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "data/etag.hpp"
#include "file/file_context.hpp"
#include "file/kind/mime.hpp"
#include "file/kind/name.hpp"
#include "file/messages.hpp"
#include "file/numbers.hpp"
#include "file/range.hpp"
#include "file/upload/store.hpp"
#include "http/request/proxy.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "log/log.hpp"

namespace svc::file {
namespace {

using identity::refusal;
using route::Done;
using route::Handled;
using route::Request;

// Row-level security says whether the caller sees it; a ticket is read by the server itself.
constexpr std::string_view kSeen =
    "select f.id::text, f.name, f.mime, f.size::text, encode(f.sha256, 'hex'), f.part"
    " from svc.file f where f.id = $1::uuid and f.state = 'stored'";

constexpr std::string_view kStored = "select * from svc.stored_file($1::uuid)";

// Counts what is sent.
class CountedBytes final : public http::BodySource {
  public:
    CountedBytes(std::shared_ptr<http::BodySource> bytes, Count& sent)
        : bytes_(std::move(bytes)), sent_(sent) {}
    std::uint64_t length() const override { return bytes_->length(); }
    Task<std::string_view> next() override {
        const std::string_view piece = co_await bytes_->next();
        Counts::add(sent_, piece.size());
        co_return piece;
    }
    std::string content_type;  // of the answer, which only has a view

  private:
    const std::shared_ptr<http::BodySource> bytes_;
    Count& sent_;
};

struct File {
    std::string id, name, mime, sha256, part;
    std::uint64_t size = 0;
};

void print_headers(http::Exchange& exchange, const File& file, const std::string& tag,
                   const Served& served) {
    http::Reply& reply = exchange.reply();
    const bool saved = http::query_param(exchange.head().query, "download").value == "1";
    reply.header("ETag", tag);
    reply.header("Cache-Control", "private, no-cache");
    reply.header("Accept-Ranges", "bytes");
    reply.header("Content-Security-Policy", "sandbox; default-src 'none'");
    reply.header("Content-Disposition",
                 disposition(served.is_inline && !saved ? "inline" : "attachment", file.name));
}

// The headers that were printed are of the file.
Handled cannot_read(const FileContext& in, http::Exchange& exchange, const File& file,
                    const std::string& later) {
    exchange.reply().clear();
    if (later.empty()) {
        log::write(log::Level::error, "file_not_there", {{"id", file.id}});
        return refuse(exchange, Code::storage_error, "The file cannot be read right now.");
    }
    Counts::add(in.shared.counts.store_failures);
    log::write(log::Level::error, "file_not_read", {{"id", file.id}, {"what", later}});
    return refuse(exchange, store_is_away());
}

Task<Handled> send(const FileContext& in, http::Exchange& exchange, const File& file) {
    http::Reply& reply = exchange.reply();
    const http::Head& head = exchange.head();
    const std::string tag = '"' + file.sha256 + '"';
    const Served served = served_as(file.mime);
    print_headers(exchange, file, tag, served);
    if (data::none_match_names(head, tag)) {
        reply.status = 304;
        co_return Handled::answered;
    }
    const bool only_head = head.method == "HEAD";
    const std::string_view only_if = head.header("if-range");
    Range range{0, file.size};
    // A range is one of GET (RFC 9110, 14.2).
    if (!only_head && (only_if.empty() || only_if == tag))
        range = range_of(head.header("range"), file.size);
    if (range.kind == Range::Kind::outside) {
        reply.header("Content-Range", "bytes */" + std::to_string(file.size));
        reply.status = 416;
        co_return Handled::answered;
    }
    const Readers readers{in.io, in.calls, in.shared.threads};
    const Wanted wanted{file.id, file.part, range.from, range.length, only_head};
    const Opened opened = co_await in.shared.store->open(readers, wanted);
    if (!opened.bytes) co_return cannot_read(in, exchange, file, opened.later);
    auto source = std::make_shared<CountedBytes>(opened.bytes, in.shared.counts.sent_bytes);
    source->content_type = served.content_type;
    reply.content_type = source->content_type;
    if (range.kind == Range::Kind::part) {
        reply.status = 206;
        reply.header("Content-Range", "bytes " + std::to_string(range.from) + "-" +
                                          std::to_string(range.from + range.length - 1) + "/" +
                                          std::to_string(file.size));
    }
    reply.source = std::move(source);
    if (!only_head) Counts::add(in.shared.counts.sent);
    co_return Handled::answered;
}

File file_of(const std::vector<std::string>& row) {
    File out{row[0], row[1], row[2], row[4], row[5]};
    out.size = whole(row[3]).value_or(0);
    return out;
}

identity::Refusal not_found() { return refusal(Code::not_found, "There is no such file."); }

// A guest may well have to sign in to see it.
identity::Refusal not_seen(const Caller& caller) {
    if (caller.user || caller.is(principal::kServer)) return not_found();
    return refusal(Code::unauthorized, "Sign in first.");
}

Task<Handled> as_caller(const FileContext& in, Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    TextColumns row(6);
    const db::Param params[] = {request.id};
    const auto ended =
        co_await read_as(in, exchange, caller, identity::command("svc_file", kSeen, params, &row));
    if (ended) co_return *ended;
    if (row.values.empty()) co_return refuse(exchange, not_seen(caller));
    const Handled handled = co_await send(in, exchange, file_of(row.values));
    co_return handled;
}

Task<Done> by_ticket(const FileContext& in, Request& request, std::string_view ticket) {
    switch (in.tickets.check(base::lower(request.id), ticket, std::time(nullptr))) {
        case Tickets::Checked::forged:
            co_return refusal(Code::signature_invalid, "The ticket of this address is not valid.");
        case Tickets::Checked::expired:
            co_return refusal(Code::signature_invalid,
                              "This address has expired: it is valid for an hour. Read the row "
                              "again with x-svc-files: 1 to get a new one.");
        case Tickets::Checked::good:
            break;
    }
    TextColumns row(6);
    const db::Param params[] = {request.id};
    const db::Command command = identity::command("svc_stored_file", kStored, params, &row);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    if (row.values.empty()) co_return not_found();
    co_await send(in, request.exchange, file_of(row.values));
    co_return Done();
}

// A page's <img> can send no key: on the app's own host the cookie of its session is enough to
// read.
identity::Result<std::shared_ptr<const AppKey>> key_of(const FileContext& in,
                                                       const http::Head& head) {
    static const auto kPage = std::make_shared<const AppKey>();
    const bool keyless = identity::bearer(head).empty();
    if (keyless && !identity::session_cookie(head).empty())
        return std::shared_ptr<const AppKey>(kPage);
    return in.gate.enter(head, identity::Marker::not_needed, !keyless);
}

// Nobody vouches for a reader without a key, so each address has a share. What one address reads in
// this way takes nothing from the budget of the app's keys.
std::optional<identity::Refusal> beyond_share(const FileContext& in, const Request& request,
                                              bool by_ticket) {
    const http::Exchange& exchange = request.exchange;
    // A page of the server's own that asks for a file has counted its visitor.
    const bool asked_by_page = request.key != nullptr;
    if (asked_by_page || !(by_ticket || identity::bearer(exchange.head()).empty()))
        return std::nullopt;
    const unsigned wait = in.shared.keyless_reads.take(http::counted_network(exchange.remote()));
    if (wait == 0) return std::nullopt;
    auto full = refusal(Code::rate_limited,
                        "This address has read all the files of this minute. Wait and try again.");
    full.retry_after = wait;
    return full;
}

std::optional<identity::Refusal> wrong_place(const FileContext& in, std::string_view query) {
    const http::QueryParam env = http::query_param(query, "env");
    if (!env.found || env.value == base::word(in.env)) return std::nullopt;
    if (dev_or_prod(env.value)) return not_found();
    return refusal(Code::params_invalid, "\"env\" must be dev or prod.", "env");
}

}  // namespace

Task<Done> download(const FileContext& in, Request& request) {
    const http::Head& head = request.exchange.head();
    const http::QueryParam ticket = http::query_param(head.query, "ticket");
    if (const auto full = beyond_share(in, request, ticket.found)) co_return *full;
    if (!ticket.found) {
        auto key = key_of(in, head);
        if (!key) co_return key.error();
        request.key = std::move(*key);
    }
    if (!base::is_uuid(request.id)) co_return refusal(Code::invalid_id, kBadFileId);
    if (auto wrong = wrong_place(in, head.query)) co_return *wrong;
    if (in.root.empty()) co_return not_found();
    if (ticket.found) co_return co_await by_ticket(in, request, ticket.value);
    const auto as = [&in, &request](const Caller& caller) {
        return as_caller(in, request, caller);
    };
    co_return co_await route::as_caller(in.callers, request, as);
}

}  // namespace svc::file
