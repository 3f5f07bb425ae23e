#include "query/session.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace svc::query {
namespace {

struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, Clear>;

PGconn* of(void* connection) { return static_cast<PGconn*>(connection); }

std::string field(const Result& result, int which) {
    const char* text = PQresultErrorField(result.get(), which);
    return text == nullptr ? std::string() : text;
}

Refusal refused(const Result& result) {
    Refusal out;
    out.state = field(result, PG_DIAG_SQLSTATE);
    out.message = field(result, PG_DIAG_MESSAGE_PRIMARY);
    out.hint = field(result, PG_DIAG_MESSAGE_HINT);
    const std::string position = field(result, PG_DIAG_STATEMENT_POSITION);
    if (!position.empty()) out.position = std::stoi(position);
    return out;
}

bool done(const Result& result) {
    const ExecStatusType status = PQresultStatus(result.get());
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

// A function with the statement for its body keeps the resolved tree of it.
constexpr const char* kTree =
    "select prosqlbody::text from pg_catalog.pg_proc where proname = 'svc_query' "
    "and pronamespace = pg_catalog.pg_my_temp_schema()";

// $1: oids. Answers oid, schema, name, kind, whether a cast calls it.
constexpr const char* kFunctions =
    "select p.oid, n.nspname, p.proname, ' ', exists (select from pg_catalog.pg_cast c where "
    "c.castfunc = p.oid) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = "
    "p.pronamespace where p.oid = any ($1::oid[])";
constexpr const char* kOperators =
    "select o.oid, n.nspname, o.oprname, ' ', false from pg_catalog.pg_operator o join "
    "pg_catalog.pg_namespace n on n.oid = o.oprnamespace where o.oid = any ($1::oid[])";
constexpr const char* kTypes =
    "select t.oid, n.nspname, e.typname, e.typtype, false, (select string_agg(distinct case when "
    "x.typnamespace = 'pg_catalog'::regnamespace then x.typname when x.typtype = 'e' then 'text' "
    "else '?' end, ' ') from pg_catalog.pg_attribute a join pg_catalog.pg_type y on "
    "y.oid = a.atttypid join pg_catalog.pg_type x on x.oid = coalesce((select b.oid from "
    "pg_catalog.pg_type b where b.typarray = y.oid), y.oid) where a.attrelid = e.typrelid and "
    "a.attnum > 0 and not a.attisdropped) from pg_catalog.pg_type t join "
    "pg_catalog.pg_type e on e.oid = coalesce((select a.oid from pg_catalog.pg_type a where "
    "a.typarray = t.oid), t.oid) join pg_catalog.pg_namespace n on n.oid = e.typnamespace "
    "where t.oid = any ($1::oid[])";
constexpr const char* kRelations =
    "select c.oid, n.nspname, c.relname, ' ', false from pg_catalog.pg_class c join "
    "pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = any ($1::oid[])";

// What of each table asks for a right, as PostgreSQL itself would ask for it: sets of column
// numbers, moved by 7 past those of the system. Before PostgreSQL 16 they stand with the table,
// then apart.
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

// Statements that take too long, as PostgreSQL calls it: by their own limit.
constexpr const char* kCanceled = "57014";

// Of who is connected: is a superuser; may make roles; their own process; and what everybody may
// do.
constexpr const char* kWhoAmI =
    "select rolsuper, rolsuper or rolcreaterole, 'svc_check_' || pg_backend_pid(),"
    " has_database_privilege('public', current_database(), 'temporary')"
    " from pg_roles where rolname = current_user";

}  // namespace

void Session::Close::operator()(void* connection) const {
    PQfinish(static_cast<PGconn*>(connection));
}

Session::Session(const std::string& url, const Budget& budget, const std::string& schemas)
    : connection_(PQconnectdb(url.c_str())), budget_(budget) {
    if (PQstatus(of(connection_.get())) != CONNECTION_OK) {
        throw std::runtime_error(std::string("the database for proving queries: ") +
                                 PQerrorMessage(of(connection_.get())));
    }
    PQsetClientEncoding(of(connection_.get()), "UTF8");
    PQsetNoticeProcessor(
        of(connection_.get()), [](void*, const char*) {}, nullptr);
    // The catalogue first: what is made here can hide nothing of it.
    run("begin; set local standard_conforming_strings = on; set local work_mem = '16MB'; "
        "set local lock_timeout = '3s'; set local timezone = 'UTC'; set local datestyle = 'ISO'; "
        "set local search_path = " +
        (schemas.empty() ? "pg_catalog, pg_temp" : schemas) + "; " + bound());
    if (schemas.empty()) give_rights_up();
}

// What is tried runs as a role that may do nothing, that is this session's own, and that goes with
// its transaction. Whoever may not make roles is no superuser either. Tables of the session's own
// are made by whoever may make them.
void Session::give_rights_up() {
    const Result me(PQexec(of(connection_.get()), kWhoAmI));
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

std::string Session::bound() const {
    return "set local statement_timeout = " + std::to_string(budget_.left().count()) + "; ";
}

void Session::run(const std::string& statements) {
    const Result result(PQexec(of(connection_.get()), statements.c_str()));
    if (!done(result)) {
        throw std::runtime_error(std::string("the database for proving queries: ") +
                                 PQresultErrorMessage(result.get()));
    }
}

void Session::make_tables(const std::string& statements) {
    if (!statements.empty()) run(statements);
    const Result all(PQexec(of(connection_.get()),
                            "select oid, relname from pg_class "
                            "where relnamespace = pg_my_temp_schema()"));
    for (int i = 0; i < PQntuples(all.get()); ++i) {
        const auto oid = static_cast<std::uint32_t>(std::stoul(PQgetvalue(all.get(), i, 0)));
        tables_[oid] = PQgetvalue(all.get(), i, 1);
    }
    run("savepoint made");
}

std::optional<Described> Session::describe(const std::string& sql,
                                           const std::vector<std::uint32_t>& types,
                                           Refusal& refusal) {
    const std::vector<Oid> oids(types.begin(), types.end());
    run(bound());
    const Result prepared(PQprepare(of(connection_.get()), "", sql.c_str(),
                                    static_cast<int>(oids.size()), oids.data()));
    if (!done(prepared)) {
        give_up(refusal = refused(prepared));
        return std::nullopt;
    }
    const Result told(PQdescribePrepared(of(connection_.get()), ""));
    if (!done(told)) {
        give_up(refusal = refused(told));
        return std::nullopt;
    }
    Described out;
    const int columns = PQnfields(told.get());
    out.columns.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
        out.columns.push_back({PQfname(told.get(), i), PQftype(told.get(), i),
                               PQftable(told.get(), i), PQftablecol(told.get(), i)});
    }
    return out;
}

std::optional<std::vector<std::string>> Session::resolved(const std::string& sql,
                                                          const std::vector<std::string>& types,
                                                          const char* question, Refusal& refusal) {
    const std::string text = bound() + resolving(types) + sql + "\n; end;" + question;
    const Result result(PQexec(of(connection_.get()), text.c_str()));
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

std::optional<bool> Session::ask(const std::string& sql, Refusal& refusal) {
    const Result result(PQexec(of(connection_.get()), (bound() + as_nobody_ + sql).c_str()));
    if (!done(result)) {
        give_up(refusal = refused(result));
        return std::nullopt;
    }
    const bool yes = *PQgetvalue(result.get(), 0, 0) == 't';
    if (!as_nobody_.empty()) run(kForget);
    return yes;
}

std::string Session::resolving(const std::vector<std::string>& types) {
    std::string text = "create function pg_temp.svc_query(";
    for (std::size_t i = 0; i < types.size(); ++i) text += (i == 0 ? "" : ", ") + types[i];
    return text + ") returns void language sql begin atomic\n";
}

std::optional<Session::Tree> Session::tree(const std::string& sql,
                                           const std::vector<std::string>& types,
                                           Refusal& refusal) {
    const std::string before = resolving(types);
    const auto length = static_cast<int>(before.size());
    run(bound());
    // By the protocol that takes one statement at a time.
    const Result made(PQexecParams(of(connection_.get()), (before + sql + "\n; end").c_str(), 0,
                                   nullptr, nullptr, nullptr, nullptr, 0));
    if (!done(made)) {
        give_up(refusal = refused(made));
        refusal.position = std::max(refusal.position - length, 0);
        return std::nullopt;
    }
    const Result kept(PQexec(of(connection_.get()), kTree));
    if (!done(kept) || PQntuples(kept.get()) != 1)
        throw std::runtime_error(PQresultErrorMessage(kept.get()));
    Tree out{PQgetvalue(kept.get(), 0, 0), length};
    run(kForget);
    return out;
}

std::map<std::uint32_t, Session::Named> Session::named(const std::set<std::uint32_t>& ids,
                                                       const char* question) {
    std::map<std::uint32_t, Named> out;
    if (ids.empty()) return out;
    std::string list;
    for (const std::uint32_t id : ids) list += (list.empty() ? "{" : ",") + std::to_string(id);
    list += "}";
    const char* const value = list.c_str();
    const Result all(
        PQexecParams(of(connection_.get()), question, 1, nullptr, &value, nullptr, nullptr, 0));
    if (!done(all)) throw std::runtime_error(PQresultErrorMessage(all.get()));
    for (int i = 0; i < PQntuples(all.get()); ++i) {
        const auto text = [&](int column) { return PQgetvalue(all.get(), i, column); };
        out[static_cast<std::uint32_t>(std::stoul(text(0)))] = {
            text(1), text(2), *text(3), *text(4) == 't', PQnfields(all.get()) > 5 ? text(5) : ""};
    }
    return out;
}

Session::Names Session::names(const std::vector<Resolved>& found) {
    using What = Resolved::What;
    std::map<What, std::set<std::uint32_t>> ids;
    for (const Resolved& each : found) {
        const bool function = each.what == What::cast;
        const bool type = each.what == What::column;
        ids[function ? What::function : type ? What::type : each.what].insert(each.id);
    }
    return {named(ids[What::function], kFunctions), named(ids[What::op], kOperators),
            named(ids[What::type], kTypes), named(ids[What::relation], kRelations)};
}

std::set<std::string> Session::enums() {
    const Result all(PQexec(of(connection_.get()),
                            "select typname from pg_catalog.pg_type where typtype = 'e' and "
                            "typnamespace = 'public'::pg_catalog.regnamespace and typname not in "
                            "(select typname from pg_catalog.pg_type where typnamespace = "
                            "'pg_catalog'::pg_catalog.regnamespace)"));
    if (!done(all)) throw std::runtime_error(PQresultErrorMessage(all.get()));
    std::set<std::string> out;
    for (int i = 0; i < PQntuples(all.get()); ++i) out.insert(PQgetvalue(all.get(), i, 0));
    return out;
}

std::optional<std::vector<Touched>> Session::touched(const std::string& sql,
                                                     const std::vector<std::string>& types,
                                                     Refusal& refusal) {
    const auto found = resolved(sql, types, kTouched, refusal);
    if (!found) return std::nullopt;
    std::vector<Touched> out;
    for (const std::string& text : *found) {
        std::istringstream words(text);
        int how = 0;
        int number = 0;
        std::uint32_t table = 0;
        words >> how >> number >> table;
        const auto known = tables_.find(table);
        if (known == tables_.end() || number < 0) continue;
        out.push_back({static_cast<Touched::How>(how), known->second, number});
    }
    return out;
}

void Session::give_up(const Refusal& refusal) {
    if (PQstatus(of(connection_.get())) != CONNECTION_OK || refusal.state.empty()) {
        throw std::runtime_error(std::string("the database for proving queries: ") +
                                 PQerrorMessage(of(connection_.get())));
    }
    if (refusal.state == kCanceled) throw TooSlow();
    run(kForget);
}

}  // namespace svc::query
