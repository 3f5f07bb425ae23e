// Reads the names of functions, operators, types and relations from the catalogue.
#include <set>
#include <stdexcept>

#include "query/scratch/scratch_connection.hpp"

namespace svc::query {
namespace {

using pq::done;
using pq::Result;

// A list of oids as PostgreSQL reads an array.
std::string array_of(const std::set<std::uint32_t>& ids) {
    std::string list;
    for (const std::uint32_t id : ids) list += (list.empty() ? "{" : ",") + std::to_string(id);
    return list + "}";
}

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

}  // namespace

std::map<std::uint32_t, ScratchConnection::Named> ScratchConnection::named(
    const std::set<std::uint32_t>& ids, const char* question) {
    std::map<std::uint32_t, Named> out;
    if (ids.empty()) return out;
    const std::string list = array_of(ids);
    const pq::Param params[] = {list};
    const Result all = connection_.run_one(question, params);
    if (!done(all)) throw std::runtime_error(PQresultErrorMessage(all.get()));
    for (int i = 0; i < PQntuples(all.get()); ++i) {
        const auto text = [&](int column) { return PQgetvalue(all.get(), i, column); };
        out[static_cast<std::uint32_t>(std::stoul(text(0)))] = {
            text(1), text(2), *text(3), *text(4) == 't', PQnfields(all.get()) > 5 ? text(5) : ""};
    }
    return out;
}

ScratchConnection::Names ScratchConnection::names(const std::vector<Resolved>& found) {
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

std::set<std::string> ScratchConnection::enums() {
    const Result all = connection_.run(
        "select typname from pg_catalog.pg_type where typtype = 'e' and "
        "typnamespace = 'public'::pg_catalog.regnamespace and typname not in "
        "(select typname from pg_catalog.pg_type where typnamespace = "
        "'pg_catalog'::pg_catalog.regnamespace)");
    if (!done(all)) throw std::runtime_error(PQresultErrorMessage(all.get()));
    std::set<std::string> out;
    for (int i = 0; i < PQntuples(all.get()); ++i) out.insert(PQgetvalue(all.get(), i, 0));
    return out;
}

}  // namespace svc::query
