#include "data/write/idempotency.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/app_paths.hpp"
#include "base/hex.hpp"
#include "base/number.hpp"
#include "base/sha256.hpp"
#include "base/sql_state.hpp"
#include "data/format.hpp"
#include "data/party.hpp"
#include "identity/command.hpp"

namespace svc::data::write {

namespace {

using identity::command;

constexpr std::size_t kMostKey = 255;
constexpr std::string_view kClaim = "select svc.claim_key($1::text, $2::bytea)";
constexpr std::string_view kKeep = "select svc.keep_answer($1::text, $2::int, $3::text, $4::text)";
constexpr std::string_view kSaved = "select status, headers, body from svc.saved_answer($1::text)";

// The hash of texts one after the other, in the text form of bytea.
std::string hash_of(std::initializer_list<std::string_view> parts) {
    constexpr std::string_view kEnd("\0", 1);
    base::Sha256 hash;
    for (const std::string_view part : parts) hash.add(part).add(kEnd);
    return "\\x" + base::hex(base::bytes_of(hash.end()));
}

// The path counts from /__svc on: the same route may also be reached below /preview/<project>.
std::string request_hash(const http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    return hash_of({head.path.substr(std::min(head.path.find(base::kApiPath), head.path.size())),
                    head.query, head.header("x-svc-admin"), head.header("accept"),
                    exchange.body()});
}

// Guests have no names. Where they send the same key, one must not meet what another sent: who
// sends the same request from the same address is taken for the same guest. No key has spaces.
std::string key_of_guest(std::string_view key, std::string_view request, std::string_view address) {
    return "guest " + hash_of({key, request, address});
}

// Finishes the reply, and hands it to the record.
class Keep final : public db::FinalCommand {
  public:
    Keep(const WriteContext& context, const Finish& finish) : context_(context), finish_(finish) {}

    Statement statement() const override { return command("svc_keep_answer", kKeep, {}).statement; }
    std::span<const db::Param> params(std::size_t rows) override {
        finish_(rows);
        const http::Reply& reply = context_.exchange.reply();
        status_ = std::to_string(reply.status);
        params_ = {context_.idempotency_key->key, status_, reply.extra_headers, reply.body};
        return params_;
    }

  private:
    const WriteContext& context_;
    const Finish& finish_;
    std::string status_;
    std::array<db::Param, 4> params_;
};

struct SavedAnswer final : db::RowSink {
    SavedAnswer(http::Reply& reply, const http::Head& head) : reply(reply), head(head) {}
    void row(const Row& row) override {
        reply.status = base::number_of(row.text(0), reply.status);
        reply.extra_headers = row.text(1);
        reply.body = row.text(2);
        // Said beside rows alone: the same request was accepted in the same form.
        const bool alone = reply.extra_headers.find("x-svc-row-count") != std::string::npos;
        if (alone) reply.content_type = content_type(accepted(head));
        reply.header("Idempotency-Replayed", "true");
    }
    http::Reply& reply;
    const http::Head& head;
};

void reset(http::Reply& reply) {
    reply.status = 200;
    reply.extra_headers.clear();
    reply.body.clear();
}

Task<db::Outcome> replay(const WriteContext& context) {
    reset(context.exchange.reply());
    const IdentityCommand identity_command(context.caller);
    const db::Param params[] = {context.idempotency_key->key};
    SavedAnswer saved(context.exchange.reply(), context.exchange.head());
    const db::Command commands[] = {identity_command.command(),
                                    command("svc_saved_answer", kSaved, params, &saved)};
    co_return co_await context.pool.run(commands);
}

// Makes `failed` count from the caller's first command, which comes after `before` commands of this
// file.
void count_from(db::Outcome& outcome, std::size_t before) {
    const bool ours = outcome.failed == db::Outcome::kNone || outcome.failed < before;
    outcome.failed = ours ? db::Outcome::kNone : outcome.failed - before;
}

// SQL that somebody wrote ends with its client: a write of it is undone. Rows that the server
// writes are few, and written to the end.
db::Slow slowly(const WriteContext& context, db::FinalCommand* final_command) {
    return {.final_command = final_command,
            .share = context.authored ? db::Share::half : db::Share::all,
            .party = party_of(context.caller, context.exchange),
            .client = context.authored ? &context.exchange : nullptr};
}

Task<db::Outcome> commit_once(const WriteContext& context, std::span<const db::Command> commands,
                              const Finish& finish) {
    const IdentityCommand identity_command(context.caller);
    const db::Param params[] = {context.idempotency_key->key, context.idempotency_key->request};
    std::vector<db::Command> all = {identity_command.command(),
                                    command("svc_claim_key", kClaim, params)};
    all.insert(all.end(), commands.begin(), commands.end());
    Keep keep(context, finish);
    const db::Slow how = slowly(context, &keep);
    db::Outcome outcome = co_await context.pool.run_slow(all, how);
    if (outcome.error().sqlstate == base::sqlstate::kAnsweredBefore) {
        outcome = co_await replay(context);
        co_return outcome;
    }
    if (outcome.ok) co_return outcome;
    reset(context.exchange.reply());
    if (outcome.error().sqlstate == base::sqlstate::kLocked && outcome.failed == 1) {
        outcome.make_error().sqlstate = base::sqlstate::kKeyInUse;
        context.exchange.reply().header("Retry-After", "1");
    }
    count_from(outcome, 2);
    co_return outcome;
}

}  // namespace

Result<std::optional<IdempotencyKey>> read_idempotency_key(const http::Exchange& exchange,
                                                           const Caller& caller) {
    const std::string_view key = exchange.head().header("idempotency-key");
    if (key.empty()) return std::optional<IdempotencyKey>();
    const auto fits = [](char c) { return c > ' ' && c < 0x7F; };
    if (key.size() > kMostKey || !std::ranges::all_of(key, fits)) {
        return bad_params(
            "Idempotency-Key must have 1 to 255 visible ASCII characters, without spaces.");
    }
    IdempotencyKey idempotency_key{std::string(key), request_hash(exchange)};
    if (caller.is(principal::kGuest)) {
        idempotency_key.key = key_of_guest(key, idempotency_key.request, exchange.remote());
    }
    return std::optional<IdempotencyKey>(std::move(idempotency_key));
}

Task<db::Outcome> commit(const WriteContext& context, std::span<const db::Command> commands,
                         const Finish& finish) {
    if (context.idempotency_key) {
        db::Outcome outcome = co_await commit_once(context, commands, finish);
        co_return outcome;
    }
    const IdentityCommand identity_command(context.caller);
    std::vector<db::Command> all = {identity_command.command()};
    all.insert(all.end(), commands.begin(), commands.end());
    db::Outcome outcome;
    if (context.authored) {
        const db::Slow how = slowly(context, nullptr);
        outcome = co_await context.pool.run_slow(all, how);
    } else {
        outcome = co_await context.pool.run(all);
    }
    if (outcome.ok) {
        finish(outcome.rows);
    } else {
        count_from(outcome, 1);
    }
    co_return outcome;
}

}  // namespace svc::data::write
