#include "feed/judge/judging.hpp"

#include <algorithm>
#include <deque>

#include "base/number.hpp"
#include "base/sql_state.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kAskSql =
    "select caller, place, null::text from svc.may_read_rows($1::text, $2::json, $3::json)";

// One statement, so both see the same rows as deleted.
constexpr std::string_view kAskBelowSql =
    "select caller, place, null::text from svc.may_read_rows($1::text, $2::json, $3::json)"
    " union all"
    " select null, null, id from svc.deleted_behind($4::text, $5::text, $6::json) d(id)";

// Filters of one statement, and values of them. PostgreSQL takes 65,535 values, and the request for
// a stream has room for some thousands: one filter alone always fits.
constexpr std::size_t kTogether = 32, kMostValues = 4096;
// The limit for the rows of one exchange. Each statement has its own copy of them, and there may be
// as many filters as streams.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;
// Statements of one exchange: a connection that prepared more would forget the first before it
// runs.
constexpr std::size_t kMostStatements = db::kDynamicStatements / 4;

class FilterMatches : public db::RowSink {
  public:
    FilterMatches(JudgedTable& table, std::size_t first) : table_(table), first_(first) {}
    void row(const Row& row) override {
        const std::size_t number = base::number_of<std::size_t>(row.text(0));
        const std::string_view fits = row.text(1);
        for (std::size_t i = 0; i < fits.size(); ++i)
            if (fits[i] == 't') table_.fits(number, first_ + i);
    }

  private:
    JudgedTable& table_;
    const std::size_t first_;
};

class Answers : public db::RowSink {
  public:
    Answers(JudgedTable& table, const JudgedTable::Question& question)
        : table_(table), question_(question) {}
    void row(const Row& row) override {
        if (!row.null(2)) return table_.doubt(row.text(2));
        table_.answer(question_.row[base::number_of<std::size_t>(row.text(1))],
                      question_.caller[base::number_of<std::size_t>(row.text(0))]);
    }

  private:
    JudgedTable& table_;
    const JudgedTable::Question& question_;
};

// Statements that are put together, with what they need until they have run.
struct Exchange {
    std::deque<data::QueryText> texts;
    std::deque<std::vector<db::Param>> params;
    std::deque<FilterMatches> matches;
    std::vector<db::Command> commands;

    void add(data::QueryText text, db::RowSink& sink) {
        texts.push_back(std::move(text));
        const data::QueryText& kept = texts.back();
        params.push_back(kept.params());
        const Statement statement{.name = "?", .types = kept.types, .sql = kept.sql};
        commands.push_back({statement, params.back(), &sink});
    }
};

// The result of a question. PostgreSQL refuses the same question again, for example if the row is
// older than a change of its columns, or if it has too many rows to judge in time. It answers later
// what another transaction was in the way of: who got a row without its fields would keep it so.
enum class Judged : std::uint8_t { yes, refused, later };

Judged judged(const db::Outcome& outcome, const JudgedTable& table) {
    if (outcome.ok) return Judged::yes;
    log::write(log::Level::warning, "feed_not_judged",
               {{"table", table.entity().name},
                {"sqlstate", outcome.error().sqlstate},
                {"what", outcome.error().message}});
    const bool passes = base::sqlstate::is_passing(outcome.error().sqlstate);
    return passes ? Judged::later : Judged::refused;
}

// The end of the filters, from this one on, that one statement asks about.
std::size_t end_of_statement(const std::vector<const Filter*>& filters, std::size_t first) {
    std::size_t end = first, values = 0;
    while (end < filters.size() && end < first + kTogether) {
        values += filters[end]->text.values.size();
        if (end > first && values > kMostValues) break;
        ++end;
    }
    return end;
}

// The filters come after the rows: each marks what it lets through.
Task<Judged> read_rows(db::Pool& data, const App& app, JudgedTable& table) {
    const std::size_t count = table.filters().size();
    const std::size_t most =
        std::clamp<std::size_t>(kMostBytes / table.bytes(), 1, kMostStatements);
    std::size_t next = 0;
    Judged done = Judged::yes;
    do {
        Exchange exchange;
        if (next == 0) exchange.add(table.rows_text(app.timezone), table);
        for (std::size_t i = 0; i < most && next < count; ++i) {
            const std::size_t end = end_of_statement(table.filters(), next);
            exchange.matches.emplace_back(table, next);
            exchange.add(table.filters_text(next, end), exchange.matches.back());
            next = end;
        }
        const db::Outcome outcome = co_await data.run(exchange.commands);
        done = judged(outcome, table);
    } while (done == Judged::yes && next < count);
    co_return done;
}

Task<Judged> ask(db::Pool& data, JudgedTable& table, const std::string& until, Counts& counts) {
    const JudgedTable::Question question = table.question();
    if (question.row.empty()) co_return Judged::yes;
    Counts::add(counts.questions);
    Answers answers(table, question);
    const Look* above = question.above.empty() ? nullptr : table.above();
    std::vector<db::Param> params = {table.entity().name, question.rows, question.callers};
    if (above) params.insert(params.end(), {until, above->target->name, question.above});
    const db::Command command =
        above ? identity::command("svc_may_read_below", kAskBelowSql, params, &answers)
              : identity::command("svc_may_read", kAskSql, params, &answers);
    const db::Outcome outcome = co_await data.run_slow({&command, 1});
    co_return judged(outcome, table);
}

}  // namespace

Task<bool> judge_table(db::Pool& data, const App& app, JudgedTable& table, std::string until,
                       Counts& counts) {
    Judged done = co_await read_rows(data, app, table);
    if (done == Judged::yes) done = co_await ask(data, table, until, counts);
    if (done == Judged::refused) table.give_up();
    co_return done != Judged::later;
}

}  // namespace svc::feed
