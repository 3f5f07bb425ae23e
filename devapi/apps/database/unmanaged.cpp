#include "apps/database/unmanaged.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <regex>

#include "apps/database/database.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestLiteral = 1000;  // bytes of a default that is read

std::vector<std::string> texts_in(const pqxx::field& field) {
    if (field.is_null()) return {};
    return nlohmann::json::parse(field.c_str()).get<std::vector<std::string>>();
}

constexpr const char* kHandTable =
    "select c.oid, c.relkind = 'r', pg_get_userbyid(c.relowner),"
    " exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)),"
    " exists (select from pg_policy p where p.polrelid = c.oid) "
    "from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = $1"
    " and c.relkind in ('r', 'p', 'v', 'm', 'f')";

constexpr const char* kUnmanagedColumns =
    "select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,"
    " coalesce(pg_get_expr(d.adbin, d.adrelid), ''),"
    " (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e"
    "  where e.enumtypid = a.atttypid),"
    " case when a.attgenerated <> '' then 'is computed by the database'"
    "  when a.attidentity <> '' then 'is an identity column'"
    "  when a.attcollation not in (0, t.typcollation) then 'has a collation of its own'"
    "  else '' end "
    "from pg_attribute a join pg_type t on t.oid = a.atttypid"
    " left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum "
    "where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped order by a.attnum";

constexpr const char* kUnmanagedConstraints =
    "select c.contype, c.conname, (select json_agg(a.attname order by k.place)"
    "  from unnest(c.conkey) with ordinality k (number, place)"
    "  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number),"
    " case when c.contype = 'c' then pg_get_expr(c.conbin, c.conrelid)"
    "  else pg_get_constraintdef(c.oid) end,"
    " not c.condeferrable and c.convalidated"
    "  and not coalesce(x.indnullsnotdistinct or x.indnkeyatts <> x.indnatts, false)"
    "  and c.confupdtype in ('a', 'r', ' ') and c.confmatchtype in ('s', ' ')"
    "  and coalesce(cardinality(c.confkey), 1) = 1,"
    " case when f.relnamespace = 'public'::regnamespace then f.relname end,"
    " (select a.attname from pg_attribute a where a.attrelid = c.confrelid"
    "  and a.attnum = c.confkey[1]), c.confdeltype "
    "from pg_constraint c left join pg_class f on f.oid = c.confrelid"
    " left join pg_index x on x.indexrelid = c.conindid and c.contype in ('u', 'p') "
    "where c.conrelid = $1::oid and c.contype <> 't' order by c.conname";

// Indexes except those of constraints.
constexpr const char* kHandIndexes =
    "select i.relname, x.indisunique, (select json_agg(a.attname order by k.place)"
    "  from unnest(x.indkey::int2[]) with ordinality k (number, place)"
    "  join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number),"
    " pg_get_indexdef(x.indexrelid),"
    " x.indpred is null and x.indexprs is null and x.indnkeyatts = x.indnatts"
    "  and not x.indnullsnotdistinct and m.amname = 'btree' "
    "from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam "
    "where x.indrelid = $1::oid and not x.indisprimary and not exists (select from pg_constraint c"
    " where c.conindid = x.indexrelid and c.contype in ('u', 'x')) order by i.relname";

std::string trouble_of(const pqxx::row& row, const AppDatabase& database) {
    if (!row[1].as<bool>()) return "It is not an ordinary table.";
    if (row[2].as<std::string>() != database.owner_role)
        return "It belongs to the role " + row[2].as<std::string>() + ": alter table … owner to " +
               database.owner_role + ".";
    if (row[3].as<bool>())
        return "It inherits from another table, or another table inherits from it.";
    if (row[4].as<bool>())
        return "It has row-level security policies of its own, which could let callers reach rows "
               "that the contract denies them.";
    return {};
}

// False for anything that could call a function.
bool is_literal(const std::string& sql) {
    static const std::regex pattern(R"(^\(?('([^']|'')*'|-?[0-9]+([.][0-9]+)?|true|false)\)?)"
                                    R"((::"?[a-z][a-z0-9_ ]*"?([(][0-9, ]+[)])?([\[]\])?)?$)");
    return sql.size() <= kLongestLiteral && std::regex_match(sql, pattern);
}

std::vector<UnmanagedColumn> read_columns(pqxx::work& tx, const std::string& oid) {
    std::vector<UnmanagedColumn> out;
    for (const auto& row : tx.exec_params(kUnmanagedColumns, oid)) {
        UnmanagedColumn column{row[0].c_str(), row[1].c_str(), row[2].as<bool>(), row[3].c_str()};
        column.values = texts_in(row[4]);
        column.trouble = row[5].c_str();
        if (column.trouble.empty() && is_literal(column.default_sql))
            column.default_json =
                tx.exec1("select to_jsonb(" + column.default_sql + ")")[0].as<std::string>("null");
        out.push_back(std::move(column));
    }
    return out;
}

UnmanagedConstraint::Kind kind_of(const std::string& type) {
    using Kind = UnmanagedConstraint::Kind;
    if (type == "p") return Kind::primary;
    if (type == "u") return Kind::unique;
    if (type == "c") return Kind::check;
    return type == "f" ? Kind::foreign : Kind::other;
}

std::vector<UnmanagedConstraint> read_constraints(pqxx::work& tx, const std::string& oid) {
    std::vector<UnmanagedConstraint> out;
    for (const auto& row : tx.exec_params(kUnmanagedConstraints, oid)) {
        UnmanagedConstraint one{kind_of(row[0].c_str()), row[1].c_str(), texts_in(row[2]),
                                row[3].c_str()};
        one.plain = row[4].as<bool>();
        one.target = row[5].as<std::string>("");
        one.target_column = row[6].as<std::string>("");
        one.on_delete = row[7].c_str()[0];
        out.push_back(std::move(one));
    }
    for (const auto& row : tx.exec_params(kHandIndexes, oid)) {
        using Kind = UnmanagedConstraint::Kind;
        UnmanagedConstraint one{row[1].as<bool>() ? Kind::unique : Kind::index, row[0].c_str(),
                                texts_in(row[2]), row[3].c_str()};
        one.plain = row[4].as<bool>();
        one.is_index = true;
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace

Unmanaged read_unmanaged(const AppDatabase& database, const std::string& table) {
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    for (const char* setting : {"transaction read only", "local search_path = public",
                                "local timezone = 'UTC'", "local datestyle = 'ISO, YMD'",
                                "local statement_timeout = '10s'", "local lock_timeout = '2s'"})
        tx.exec0(std::string("set ") + setting);
    Unmanaged out;
    const auto rows = tx.exec_params(kHandTable, table);
    if (rows.empty()) return out;
    out.there = true;
    out.managed =
        !tx.exec_params("select from svc.managed where kind = 'table' and name = $1", table)
             .empty();
    out.trouble = trouble_of(rows[0], database);
    if (out.managed || !out.trouble.empty()) return out;
    out.columns = read_columns(tx, rows[0][0].c_str());
    out.constraints = read_constraints(tx, rows[0][0].c_str());
    return out;
}

}  // namespace svc::devapi
