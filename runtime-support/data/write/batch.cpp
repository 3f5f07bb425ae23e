#include "data/write/batch.hpp"

#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/messages.hpp"
#include "data/write/sent_row.hpp"

namespace svc::data::write {

namespace {

// A row that its creator may read, as it was printed.
struct PrintedRow final : db::RowSink {
    PrintedRow(const Entity& entity, const Visible& visible) : entity(entity), visible(visible) {}
    void row(const Row& row) override { entity.write_row(row, visible.columns, text); }
    const Entity& entity;
    const Visible& visible;
    std::string text;
};

}  // namespace

WriteContext Batch::context() const {
    // Several rows take long, and so does another database.
    return {call.exchange, call.caller, call.pool, call.idempotency_key,
            !one() || call.entity.external};
}

void Batch::add(const Statement& statement, std::span<const db::Param> values, db::RowSink* sink) {
    commands.push_back({statement, values, sink, kWriteWeight});
}

void Batch::add_select(QueryText&& select, db::RowSink* sink) {
    const QueryText& text = selects.emplace_back(std::move(select));
    params.push_back(text.params());
    add({.name = "?", .types = text.types, .sql = text.sql}, params.back(), sink);
}

Handled refuse_row(const Batch& batch, const db::Outcome& outcome) {
    if (session_ended(outcome)) return refuse(batch.call, outcome);
    Error error = to_error(outcome, batch.call.entity);
    if (row_refused(outcome)) {
        error.message =
            batch.upsert ? "You may not create this row, or you may not change the row that exists."
                         : kMayNotCreate;
    }
    if (batch.one() || outcome.failed == db::Outcome::kNone) return refuse(batch.call, error);
    return refuse(batch.call, at_row(std::move(error), outcome.failed / batch.commands_a_row));
}

namespace {

// The other database returns the keys, so the new rows cannot be read in the same exchange.
Task<Handled> create_unseen_in_external(Batch& batch) {
    const Call& call = batch.call;
    std::deque<KeyOf> keys;
    batch.commands.clear();
    for (const Draft& draft : batch.drafts.rows)
        batch.add(call.entity.insert, draft.params, &keys.emplace_back());
    const Finish finish = [&](std::size_t) {
        SentRows rows(call.entity, call.exchange.reply().body);
        for (std::size_t i = 0; i < keys.size(); ++i)
            rows.sent(batch.drafts.rows[i].values, keys[i].text);
        rows.finish();
        call.exchange.reply().status = 201;
    };
    const WriteContext run = batch.context();
    const db::Outcome outcome = co_await commit(run, batch.commands, finish);
    co_return outcome.ok ? Handled::answered : refuse_row(batch, outcome);
}

}  // namespace

Task<Handled> create_unseen(Batch& batch) {
    const Call& call = batch.call;
    if (call.entity.external) {
        const Handled handled = co_await create_unseen_in_external(batch);
        co_return handled;
    }
    const Visible visible = call.visible();
    std::deque<PrintedRow> printed;
    std::deque<db::Param> ids;
    batch.commands.clear();
    batch.commands_a_row = 2;
    for (const Draft& draft : batch.drafts.rows) {
        PrintedRow& sink = printed.emplace_back(call.entity, visible);
        const db::Param& id = ids.emplace_back(draft.id);
        batch.add(call.entity.insert, draft.params, nullptr);
        batch.add(call.entity.get, {&id, 1}, &sink);
    }
    const Finish finish = [&](std::size_t) {
        SentRows rows(call.entity, call.exchange.reply().body);
        for (std::size_t i = 0; i < printed.size(); ++i) {
            const Draft& draft = batch.drafts.rows[i];
            if (printed[i].text.empty()) {
                rows.sent(draft.values, draft.id);
            } else {
                rows.seen(printed[i].text, visible.columns);
            }
        }
        rows.finish();
        call.exchange.reply().status = 201;
    };
    const WriteContext run = batch.context();
    const db::Outcome outcome = co_await commit(run, batch.commands, finish);
    co_return outcome.ok ? Handled::answered : refuse_row(batch, outcome);
}

}  // namespace svc::data::write
