#include "data/write/create_many.hpp"

#include <set>

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/write/batch.hpp"

namespace svc::data::write {

namespace {

// Statements of one exchange are prepared before the first runs: a connection keeps so many.
constexpr std::size_t kMostShapes = db::kDynamicStatements / 4;

// Counts the rows, one of each draft, and those that are new: with the id that their draft was
// given. Of external rows the statement says so. The envelope may show fewer.
class WrittenRows final : public db::RowSink {
  public:
    WrittenRows(Envelope& envelope, const Batch& batch) : envelope_(envelope), batch_(batch) {}
    void row(const Row& row) override {
        if (is_new(row)) ++created_;
        ++written_;
        envelope_.row(row);
    }
    std::size_t created() const { return created_; }
    std::size_t written() const { return written_; }

  private:
    bool is_new(const Row& row) const {
        const Entity& entity = batch_.call.entity;
        if (!batch_.upsert) return true;
        if (entity.external) return row.text(static_cast<int>(entity.columns.size()) + 1) == "t";
        return row.text(0) == batch_.drafts.rows[written_].id;
    }

    Envelope& envelope_;
    const Batch& batch_;
    std::size_t created_ = 0;
    std::size_t written_ = 0;
};

void add_upsert(Batch& batch, const Draft& draft, db::RowSink& sink) {
    const Call& call = batch.call;
    const bool merge = batch.upsert->resolution == Resolution::merge;
    if (call.entity.external) {
        batch.texts.push_back(external_upsert_sql(call, *batch.upsert, draft));
        const Statement all{
            .name = "?", .types = call.entity.create.types, .sql = batch.texts.back()};
        return batch.add(all, draft.params, &sink);
    }
    batch.texts.push_back(merge ? merge_sql(call, *batch.upsert, draft)
                                : ignore_sql(call, *batch.upsert));
    const Statement write{
        .name = "?", .types = call.entity.insert.types, .sql = batch.texts.back()};
    batch.add(write, draft.params, merge ? &sink : nullptr);
    if (merge) return;
    batch.commands_a_row = 3;
    batch.add_select(must_see(call, *batch.upsert, draft), nullptr);
    batch.add_select(found_row(call, *batch.upsert, draft), &sink);
}

std::optional<Error> plan(Batch& batch, db::RowSink& sink) {
    std::set<std::string_view> shapes;
    for (std::size_t i = 0; i < batch.drafts.rows.size(); ++i) {
        const Draft& draft = batch.drafts.rows[i];
        if (!batch.upsert) {
            batch.add(batch.call.entity.create, draft.params, &sink);
            continue;
        }
        if (auto error = check_draft(batch.call, *batch.upsert, draft)) {
            return batch.one() ? *error : at_row(*error, i);
        }
        add_upsert(batch, draft, sink);
        shapes.insert(batch.texts.back());
    }
    if (shapes.size() > kMostShapes) {
        return bad_params(
            "The rows have too many different sets of columns. Send fewer rows at once.");
    }
    return std::nullopt;
}

// Somebody else made or changed a row of the other database while this was under way. It is there
// now, and can be met.
bool came_between(const Batch& batch, const db::Outcome& outcome) {
    if (!batch.upsert || !batch.call.entity.external || batch.repeated) return false;
    const std::string_view state = outcome.error().sqlstate;
    return state == base::sqlstate::kTaken || base::sqlstate::is_busy(state);
}

Task<Handled> create_seen(Batch& batch) {
    const Call& call = batch.call;
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    if (batch.one()) envelope.keep_version();
    WrittenRows rows(envelope, batch);
    if (const auto error = plan(batch, rows)) co_return refuse(call, *error);

    const Finish finish = [&](std::size_t) {
        envelope.finish(rows.written());
        const bool created = rows.created() > 0 || !batch.upsert;
        call.exchange.reply().status = created ? 201 : 200;
        if (batch.one()) send_tag(call, visible, envelope.version());
    };
    const WriteContext run = batch.context();
    const db::Outcome outcome = co_await commit(run, batch.commands, finish);
    if (outcome.ok) co_return Handled::answered;
    if (row_refused(outcome) && !batch.upsert) {
        const Handled handled = co_await create_unseen(batch);
        co_return handled;
    }
    if (came_between(batch, outcome)) {
        batch.repeated = true;
        batch.commands.clear();
        const Handled handled = co_await create_seen(batch);
        co_return handled;
    }
    co_return refuse_row(batch, outcome);
}

}  // namespace

Task<Handled> create_many(const Call& call) {
    auto upsert = read_upsert(call);
    if (!upsert) co_return refuse(call, upsert.error());
    auto drafts = read_drafts(call);
    if (!drafts) co_return refuse(call, drafts.error());
    Batch batch{call, std::move(*drafts), *upsert};
    Handled handled = Handled::answered;
    if (call.entity.access.reads(call.caller.principals)) {
        handled = co_await create_seen(batch);
    } else {
        handled = co_await create_unseen(batch);
    }
    co_return handled;
}

}  // namespace svc::data::write
