#include "data/call.hpp"

#include "data/db_error.hpp"
#include "data/messages.hpp"
#include "data/party.hpp"

namespace svc::data {

namespace {

struct VersionOf final : db::RowSink {
    explicit VersionOf(const Entity& entity) : entity(entity) {}
    void row(const Row& row) override { text = row_version(entity, row); }
    const Entity& entity;
    std::string text;
};

}  // namespace

Task<db::Outcome> run(const Call& call, const Statement& statement,
                      std::span<const db::Param> params, db::RowSink* sink, unsigned weight) {
    const IdentityCommand identity_command(call.caller);
    const db::Command commands[] = {identity_command.command(), {statement, params, sink, weight}};
    if (call.entity.external) {
        const db::Slow how{.party = party_of(call.caller, call.exchange)};
        co_return co_await call.pool.run_slow(commands, how);
    }
    co_return co_await call.pool.run(commands);
}

Task<db::Outcome> read(const Call& call, const Statement& statement,
                       std::span<const db::Param> params, db::RowSink* sink, unsigned weight) {
    if (call.entity.external) co_return co_await run(call, statement, params, sink, weight);
    const IdentityCommand identity_command(call.caller);
    const db::Command commands[] = {identity_command.command(), {statement, params, sink, weight}};
    co_return co_await call.pool.read(commands);
}

Task<db::Outcome> run_slow(const Call& call, const Statement& statement,
                           std::span<const db::Param> params, db::RowSink* sink) {
    const IdentityCommand identity_command(call.caller);
    const db::Command commands[] = {
        identity_command.command(),
        {.statement = statement, .params = params, .sink = sink, .row_by_row = true}};
    const db::Slow how = slow_read(call.caller, call.exchange);
    co_return co_await call.pool.run_slow(commands, how);
}

Handled refuse(const Call& call, const Error& error) {
    http::fail(call.exchange.reply(), error);
    return Handled::answered;
}

Handled refuse(const Call& call, const db::Outcome& outcome) {
    if (session_ended(outcome)) {
        call.exchange.reply().body.clear();
        return Handled::session_ended;
    }
    return refuse(call, to_error(outcome, call.entity));
}

void send_tag(const Call& call, const Visible& visible, std::string_view version) {
    call.exchange.reply().header("ETag", entity_tag(version, call.app, visible));
}

Task<Handled> refuse_missing(const Call& call) {
    const db::Param params[] = {call.id};
    VersionOf version(call.entity);
    const db::Outcome seen = co_await read(call, call.entity.get, params, &version);
    if (!seen.ok) co_return refuse(call, seen);
    if (seen.rows == 0) co_return refuse(call, {Code::not_found, kNoSuchRow});
    if (!call.match.fits(version.text)) {
        co_return refuse(call, {Code::stale, "The row has changed. Read it again."});
    }
    co_return refuse(call, {Code::row_forbidden, "You may read this row, but not change it."});
}

}  // namespace svc::data
