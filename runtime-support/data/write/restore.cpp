// Bringing a deleted row back: POST …/<id>/restore.
#include "data/call.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/write/idempotency.hpp"
#include "data/write/write_actions.hpp"

namespace svc::data::write {

namespace {

// The caller sent no values: what the row was no longer fits what rows are held to now.
Error why_it_does_not_fit(const db::Outcome& outcome, const Entity& entity) {
    Error error = to_error(outcome, entity);
    if (error.code != Code::params_invalid) return error;
    return {Code::conflict, "The row cannot be restored as it was: " + error.message, error.field};
}

}  // namespace

Task<Handled> restore_row(const Call& call) {
    const db::Param params[] = {call.id};
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    envelope.keep_version();
    const db::Command commands[] = {{call.entity.restore, params, &envelope, kWriteWeight}};
    const Finish finish = [&](std::size_t) {
        envelope.finish();
        send_tag(call, visible, envelope.version());
    };
    const WriteContext context{call.exchange, call.caller, call.pool, call.idempotency_key};
    const db::Outcome outcome = co_await commit(context, commands, finish);
    if (session_ended(outcome)) co_return refuse(call, outcome);
    if (!outcome.ok) co_return refuse(call, why_it_does_not_fit(outcome, call.entity));
    co_return Handled::answered;
}

}  // namespace svc::data::write
