#include "data/aggregate/answer.hpp"
#include "data/call.hpp"
#include "data/list/list_page.hpp"
#include "data/list/wide_rows.hpp"
#include "data/party.hpp"

namespace svc::data {
namespace {

// Rows of a page that cost what one row by its id does: most of that is the round trip.
constexpr std::size_t kRowsPerWeight = 8;
// Longer pages are taken row by row. That costs a microsecond a row, and keeps what is cut off from
// ever standing in memory.
constexpr std::size_t kRowsAtOnce = 50;

// Columns that follow a row's own, and external rows, are of any size.
bool is_large(const Call& call, const list::ListQuery& query, const select::Shape& shape) {
    return query.limit > kRowsAtOnce || shape.has_links() || query.kept.extra > 0 ||
           call.entity.external;
}

// Only statements that are known to be quick use the quick connections: a page by id or by an index
// of the newest rows, of rows with few values, with few linked rows. A sort, a range, a
// count or a late page may have to read a whole table.
bool is_slow(const Call& call, const list::ListQuery& query, const select::Shape& shape) {
    const bool many_links = shape.has_links() && (query.limit > kRowsAtOnce || shape.weight() > 4);
    const bool sorts = query.by_newest && !list::WideRows::newest_indexed(call.entity);
    return !query.plain || sorts || query.text.searched > 0 || many_links ||
           !query.count.sql.empty() || query.text.is_heavy() || query.far || call.entity.external;
}

Task<db::Outcome> run_list(const Call& call, const db::Command& list, const list::ListQuery& query,
                           const select::Shape& shape, list::CountSink& counted) {
    const QueryText& count = query.count;
    const IdentityCommand identity_command(call.caller);
    const std::vector<db::Param> params = count.params();
    const Statement statement{.name = "?", .types = count.types, .sql = count.sql};
    const db::Command entered = identity_command.command();
    db::Command commands[] = {entered, entered, list, {statement, params, &counted}};
    list::WideRows wide(call.entity, commands[2]);
    if (wide.asks()) commands[1] = wide.command();
    std::span<const db::Command> asked(commands);
    if (!wide.asks()) asked = asked.subspan(1);
    if (count.sql.empty()) asked = asked.first(asked.size() - 1);
    if (!is_slow(call, query, shape)) co_return co_await call.pool.read(asked);
    const db::Slow how = slow_read(call.caller, call.exchange);
    co_return co_await call.pool.run_slow(asked, how);
}

}  // namespace

Task<Handled> list_rows(const Call& call) {
    const Visible visible = call.visible();
    const list::Cursors cursors(call.signer, call.caller);
    auto query = list::read_list_query(call.entity, visible.columns, call.app,
                                       call.exchange.head().query, cursors);
    if (!query) co_return refuse(call, query.error());

    auto shape = select::Shape::read({call.entity, call.caller, call.app, call.exchange.head()},
                                     query->limit, query->text);
    if (!shape) co_return refuse(call, shape.error());

    const Statement rows{.name = "?", .types = query->text.types, .sql = query->text.sql};
    const std::vector<db::Param> params = query->text.params();
    Envelope envelope(call.entity, visible, call.exchange.reply().body, query->limit);
    envelope.link_files(call.files);
    envelope.take(*shape, call.exchange.reply());
    list::ListPage page(call.entity, *query, envelope);
    list::CountSink counted;
    const auto weight = shape->weight() * static_cast<unsigned>(1 + query->limit / kRowsPerWeight);
    const Statement statement = shape->around(rows, query->kept);
    const db::Command list{statement, params, &page, weight, is_large(call, *query, *shape)};
    const db::Outcome outcome = co_await run_list(call, list, *query, *shape, counted);
    if (!outcome.ok) co_return refuse(call, outcome);
    if (query->counting != list::CountMode::none) counted.write_to(envelope, query->counting);
    if (const auto error = page.finish(cursors)) co_return refuse(call, *error);
    co_return Handled::answered;
}

Task<Handled> aggregate_rows(const Call& call) {
    const Visible visible = call.visible();
    const auto query = aggregate::read_aggregate_query(
        call.entity, visible.columns, call.caller.principals, call.app, call.exchange.head().query);
    if (!query) co_return refuse(call, query.error());

    const Statement statement{.name = "?", .types = query->text.types, .sql = query->text.sql};
    const std::vector<db::Param> params = query->text.params();
    aggregate::AggregateAnswer answer(*query);
    const db::Outcome outcome = co_await run_slow(call, statement, params, &answer);
    if (!outcome.ok) co_return refuse(call, outcome);
    call.exchange.reply().body = answer.finish();
    co_return Handled::answered;
}

// A row that is hidden or absent is an empty result, not an error.
Task<Handled> get_row(const Call& call) {
    QueryText bound;
    bound.bind(std::string(call.id), *call.entity.get.types.begin());
    auto shape =
        select::Shape::read({call.entity, call.caller, call.app, call.exchange.head()}, 1, bound);
    if (!shape) co_return refuse(call, shape.error());
    const std::vector<db::Param> params = bound.params();
    const Visible visible = call.visible();
    http::Reply& reply = call.exchange.reply();
    Envelope envelope(call.entity, visible, reply.body);
    envelope.link_files(call.files);
    envelope.take(*shape, reply);
    // Rows of others change without this one's version, and addresses of files end: an answer that
    // holds some has no tag.
    const bool tagged = !shape->has_links() && call.files == nullptr;
    if (tagged) envelope.keep_version();
    const Statement statement = shape->around(
        call.entity.get, tagged ? kept_for_version(call.entity) : select::KeptColumns{});
    db::Outcome outcome;
    if (bound.is_heavy())
        outcome = co_await run_slow(call, statement, params, &envelope);
    else
        outcome = co_await read(call, statement, params, &envelope, shape->weight());
    if (!outcome.ok) co_return refuse(call, outcome);
    envelope.finish();
    if (!tagged || envelope.rows() == 0) co_return Handled::answered;
    const std::string tag =
        entity_tag(envelope.version(), call.app, visible, shape->form(call.exchange.head()));
    reply.header("ETag", tag);
    if (none_match_names(call.exchange.head(), tag)) {
        reply.status = 304;
        reply.body.clear();
    }
    co_return Handled::answered;
}

}  // namespace svc::data
