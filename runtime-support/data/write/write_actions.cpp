#include "data/write/write_actions.hpp"
#include "base/uuid.hpp"
#include "data/call.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/messages.hpp"
#include "data/write/create_many.hpp"
#include "data/write/drafts.hpp"
#include "data/write/sent_row.hpp"
#include "data/write/write_body.hpp"

namespace svc::data::write {

namespace {

// PostgreSQL refused to return the new row: its creator may not read it, or may not make it. So the
// row is made without being returned, which shows which case it is.
Task<Handled> create_unseen(const Call& call, std::span<const db::Param> params,
                            const json::Values& values, std::string_view id) {
    KeyOf key;
    const db::Outcome outcome = co_await run(call, call.entity.insert, params,
                                             call.entity.external ? &key : nullptr, kWriteWeight);
    if (row_refused(outcome)) {
        co_return refuse(call, {Code::row_forbidden, kMayNotCreate});
    }
    if (!outcome.ok) co_return refuse(call, outcome);
    call.exchange.reply().status = 201;
    SentRows rows(call.entity, call.exchange.reply().body);
    rows.sent(values, call.entity.external ? key.text : id);
    rows.finish();
    co_return Handled::answered;
}

}  // namespace

Task<Handled> create_row(const Call& call) {
    const bool parameters = !call.exchange.head().query.empty();
    if (call.idempotency_key || parameters || is_array(call.exchange.body())) {
        co_return co_await create_many(call);
    }
    json::Values values(call.entity.columns.size());
    if (auto error = read_body(call, Write::create, values)) co_return refuse(call, *error);

    const std::string id = base::new_uuid();
    const auto params = bind_values(call, call.entity.create_binds, values, id);
    if (!call.caller.is(call.entity.access.read)) {
        co_return co_await create_unseen(call, params, values, id);
    }
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    envelope.keep_version();
    const db::Outcome outcome =
        co_await run(call, call.entity.create, params, &envelope, kWriteWeight);
    if (row_refused(outcome)) co_return co_await create_unseen(call, params, values, id);
    if (!outcome.ok) co_return refuse(call, outcome);
    call.exchange.reply().status = 201;
    envelope.finish();
    send_tag(call, visible, envelope.version());
    co_return Handled::answered;
}

Task<Handled> update_row(const Call& call) {
    json::Values values(call.entity.columns.size());
    if (auto error = read_body(call, Write::update, values)) co_return refuse(call, *error);

    // An empty body too: whether the row may be written is asked all the same.
    const auto params = bind_values(call, call.entity.update_binds, values, call.id);
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    envelope.keep_version();
    const db::Outcome outcome =
        co_await run(call, call.entity.update, params, &envelope, kWriteWeight);
    if (!outcome.ok) co_return refuse(call, outcome);
    if (envelope.rows() == 0) co_return co_await refuse_missing(call);
    envelope.finish();
    send_tag(call, visible, envelope.version());
    co_return Handled::answered;
}

Task<Handled> remove_row(const Call& call) {
    const db::Param all[] = {call.id, call.match.versions};
    KeyOf key;
    const db::Outcome outcome = co_await run(call, call.entity.remove, all,
                                             call.entity.external ? &key : nullptr, kWriteWeight);
    if (!outcome.ok) co_return refuse(call, outcome);
    if (outcome.rows == 0) co_return co_await refuse_missing(call);
    std::string& body = call.exchange.reply().body;
    if (call.entity.external) {
        body = R"({"ok":true,"deleted":)" + key.json + '}';
        co_return Handled::answered;
    }
    body = R"({"ok":true,"deleted":")";
    body.append(call.id).append("\"}");
    co_return Handled::answered;
}

}  // namespace svc::data::write
