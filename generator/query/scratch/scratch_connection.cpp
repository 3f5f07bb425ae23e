#include "query/scratch/scratch_connection.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "base/sql_state.hpp"
#include "pq/sql_error.hpp"

namespace svc::query {
namespace {

using pq::done;
using pq::Result;

Refusal refused(const Result& result) {
    const pq::SqlError error = pq::error_of(result.get());
    return {error.sqlstate, error.message, error.hint, static_cast<int>(error.position)};
}

// A function with the statement for its body keeps the resolved tree of it.
constexpr const char* kTree =
    "select prosqlbody::text from pg_catalog.pg_proc where proname = 'svc_query' "
    "and pronamespace = pg_catalog.pg_my_temp_schema()";

// The columns of each table for which PostgreSQL itself checks a right: sets of column numbers plus
// 7, because of system columns. Before PostgreSQL 16 they are members of the table, since then they
// are separate.
constexpr const char* kTouched = R"sql(
with part as (
    select m from pg_proc, regexp_matches(prosqlbody::text,
        ':relid (\d+) (?::relkind r |:inh )[^{}]*?:selectedCols \(b ?([\d ]*)\)'
        ' :insertedCols \(b ?([\d ]*)\) :updatedCols \(b ?([\d ]*)\)', 'g') m
    where proname = 'svc_query' and pronamespace = pg_my_temp_schema()
)
select distinct how || ' ' || (bit::int - 7) || ' ' || m[1]
from part, unnest(array['0', '1', '2'], m[2:4]) as asked (how, bits),
    unnest(string_to_array(bits, ' ')) as bit
where bit <> '' order by 1
)sql";

constexpr const char* kForget = "rollback to made";

// Facts about the connected role: is a superuser; may make roles; its process; and what everybody
// may do.
constexpr const char* kWhoAmI =
    "select rolsuper, rolsuper or rolcreaterole, 'svc_check_' || pg_backend_pid(),"
    " has_database_privilege('public', current_database(), 'temporary')"
    " from pg_roles where rolname = current_user";

[[noreturn]] void fail(const std::string& words) {
    throw std::runtime_error("the database for proving queries: " + words);
}

}  // namespace

ScratchConnection::ScratchConnection(const std::string& url, const Budget& budget,
                                     const std::string& schemas)
    : connection_(url), budget_(budget) {
    if (!connection_.open()) fail(connection_.error_message());
    // The catalogue first: what is made here can hide nothing of it.
    run("begin; set local standard_conforming_strings = on; set local work_mem = '16MB'; "
        "set local lock_timeout = '3s'; set local timezone = 'UTC'; set local datestyle = 'ISO'; "
        "set local search_path = " +
        (schemas.empty() ? "pg_catalog, pg_temp" : schemas) + "; " + bound());
    if (schemas.empty()) give_rights_up();
}

// Trials run as a role without rights, which belongs to this connection and disappears with its
// transaction. A role that may not create roles is not a superuser either, so it is safe. The
// connected role makes the tables of the connection.
void ScratchConnection::give_rights_up() {
    const Result me = connection_.run(kWhoAmI);
    if (!done(me) || PQntuples(me.get()) != 1) return;
    const auto is = [&](int column) { return *PQgetvalue(me.get(), 0, column) == 't'; };
    if (!is(1)) return;
    const std::string role = PQgetvalue(me.get(), 0, 2);
    run("create role " + role +
        (is(0) ? "; set local temp_file_limit = '64MB'" : "; grant " + role + " to current_user"));
    const std::string become = "set local role " + role + "; ";
    if (is(3)) {
        run(become);
    } else {
        as_nobody_ = become;
    }
}

std::string ScratchConnection::bound() const {
    return "set local statement_timeout = " + std::to_string(budget_.left().count()) + "; ";
}

void ScratchConnection::run(const std::string& statements) {
    const Result result = connection_.run(statements);
    if (!done(result)) fail(PQresultErrorMessage(result.get()));
}

void ScratchConnection::make_tables(const std::string& statements) {
    if (!statements.empty()) run(statements);
    const Result all = connection_.run(
        "select oid, relname from pg_class where relnamespace = pg_my_temp_schema()");
    for (int i = 0; i < PQntuples(all.get()); ++i) {
        const auto oid = static_cast<std::uint32_t>(std::stoul(PQgetvalue(all.get(), i, 0)));
        tables_[oid] = PQgetvalue(all.get(), i, 1);
    }
    run("savepoint made");
}

std::optional<StatementDescription> ScratchConnection::describe(
    const std::string& sql, const std::vector<std::uint32_t>& types, Refusal& refusal) {
    const std::vector<Oid> oids(types.begin(), types.end());
    run(bound());
    const Result prepared(PQprepare(connection_.handle(), "", sql.c_str(),
                                    static_cast<int>(oids.size()), oids.data()));
    if (!done(prepared)) {
        give_up(refusal = refused(prepared));
        return std::nullopt;
    }
    const Result described(PQdescribePrepared(connection_.handle(), ""));
    if (!done(described)) {
        give_up(refusal = refused(described));
        return std::nullopt;
    }
    StatementDescription out;
    const int columns = PQnfields(described.get());
    out.columns.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
        out.columns.push_back({PQfname(described.get(), i), PQftype(described.get(), i),
                               PQftable(described.get(), i), PQftablecol(described.get(), i)});
    }
    return out;
}

std::optional<std::vector<std::string>> ScratchConnection::resolved(
    const std::string& sql, const std::vector<std::string>& types, const char* question,
    Refusal& refusal) {
    const std::string text = bound() + resolving(types) + sql + "\n; end;" + question;
    const Result result = connection_.run(text);
    if (!done(result)) {
        give_up(refusal = refused(result));
        refusal.position = 0;  // of another text
        return std::nullopt;
    }
    const int count = PQntuples(result.get());
    std::vector<std::string> out;
    out.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        out.emplace_back(PQgetvalue(result.get(), i, 0));
    }
    run(kForget);
    return out;
}

std::optional<bool> ScratchConnection::ask(const std::string& sql, Refusal& refusal) {
    const Result result = connection_.run(bound() + as_nobody_ + sql);
    if (!done(result)) {
        give_up(refusal = refused(result));
        return std::nullopt;
    }
    const bool yes = *PQgetvalue(result.get(), 0, 0) == 't';
    if (!as_nobody_.empty()) run(kForget);
    return yes;
}

std::string ScratchConnection::resolving(const std::vector<std::string>& types) {
    std::string text = "create function pg_temp.svc_query(";
    for (std::size_t i = 0; i < types.size(); ++i) text += (i == 0 ? "" : ", ") + types[i];
    return text + ") returns void language sql begin atomic\n";
}

std::optional<ScratchConnection::Tree> ScratchConnection::tree(
    const std::string& sql, const std::vector<std::string>& types, Refusal& refusal) {
    const std::string before = resolving(types);
    const auto length = static_cast<int>(before.size());
    run(bound());
    const Result made = connection_.run_one(before + sql + "\n; end");
    if (!done(made)) {
        give_up(refusal = refused(made));
        refusal.position = std::max(refusal.position - length, 0);
        return std::nullopt;
    }
    const Result kept = connection_.run(kTree);
    if (!done(kept) || PQntuples(kept.get()) != 1)
        throw std::runtime_error(PQresultErrorMessage(kept.get()));
    Tree out{PQgetvalue(kept.get(), 0, 0), length};
    run(kForget);
    return out;
}

std::optional<std::vector<ColumnAccess>> ScratchConnection::column_accesses(
    const std::string& sql, const std::vector<std::string>& types, Refusal& refusal) {
    const auto found = resolved(sql, types, kTouched, refusal);
    if (!found) return std::nullopt;
    std::vector<ColumnAccess> out;
    for (const std::string& text : *found) {
        std::istringstream words(text);
        int how = 0;
        int number = 0;
        std::uint32_t table = 0;
        words >> how >> number >> table;
        const auto known = tables_.find(table);
        if (known == tables_.end() || number < 0) continue;
        out.push_back({static_cast<ColumnAccess::How>(how), known->second, number});
    }
    return out;
}

void ScratchConnection::give_up(const Refusal& refusal) {
    if (!connection_.open() || refusal.state.empty()) fail(connection_.error_message());
    if (refusal.state == base::sqlstate::kCanceled) throw TooSlow();
    run(kForget);
}

}  // namespace svc::query
