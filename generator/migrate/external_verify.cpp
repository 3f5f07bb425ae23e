// Whether tables of other databases are what the contract says they are.
#include <algorithm>
#include <set>

#include "migrate/external.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::External;
using Columns = std::map<std::string, std::string>;  // name to type, as pg_type calls it

// Types there that values of a type here are compared with and written as, each by PostgreSQL's own
// operators. Whatever is asked of such a column is reckoned there, in its own type: a real is equal
// to no double precision that it is shown as, a char has blanks that no text has, and whole numbers
// multiply and divide as no numeric does.
const std::map<std::string, std::set<std::string>> kFits = {
    {"text", {"text", "varchar"}},
    {"bigint", {"int8", "int4", "int2"}},
    {"numeric", {"numeric"}},
    {"double precision", {"float8"}},
    {"boolean", {"bool"}},
    {"date", {"date"}},
    {"time", {"time"}},
    {"timestamptz", {"timestamptz", "timestamp"}},
    {"text[]", {"_text"}},
    {"jsonb", {"jsonb"}},
    {"uuid", {"uuid"}},
};
const std::set<std::string> kKeys = {"int8", "int4", "int2", "text", "varchar", "uuid"};

// A foreign table of the other database's own catalogue.
std::string catalogue(const std::string& server) {
    return "create foreign table " + plan::kForeignSchema +
           ".svc_columns (table_schema text, table_name text, column_name text, udt_name text)\n"
           "server " +
           plan::ident(server) +
           " options (schema_name 'information_schema', table_name 'columns')";
}

Columns read_columns(pqxx::transaction_base& tx, const External& external) {
    const std::string table = plan::kForeignSchema + ".svc_columns";
    tx.exec0(catalogue(plan::server_name(external.connection)));
    Columns out;
    for (const auto& row : tx.exec_params("select column_name, udt_name from " + table +
                                              " where table_schema = $1 and table_name = $2",
                                          external.schema, external.table)) {
        out[row[0].c_str()] = row[1].c_str();
    }
    tx.exec0("drop foreign table " + table);
    return out;
}

std::string named(const External& external) { return external.schema + "." + external.table; }

void tell_mismatch(const std::string& path, const std::string& message, const std::string& fix,
                   diag::Findings& findings) {
    findings.error("EXTERNAL_MISMATCH", path, message, fix);
}

// An index of its own that tells rows apart by the key alone. Where there is none, one id may be
// many rows; a view has none.
bool is_unique(pqxx::transaction_base& tx, const External& external) {
    const std::string table = plan::kForeignSchema + ".svc_indexes";
    tx.exec0("create foreign table " + table +
             " (schemaname text, tablename text, indexdef text)\nserver " +
             plan::ident(plan::server_name(external.connection)) +
             " options (schema_name 'pg_catalog', table_name 'pg_indexes')");
    const std::string by_key = " (" + plan::ident(external.key) + ")";
    const std::string by_plain_key = " (" + external.key + ")";
    bool found = false;
    for (const auto& row : tx.exec_params(
             "select indexdef from " + table + " where schemaname = $1 and tablename = $2",
             external.schema, external.table)) {
        const std::string definition = row[0].c_str();
        const bool whole = definition.ends_with(by_key) || definition.ends_with(by_plain_key);
        found |= whole && definition.starts_with("CREATE UNIQUE INDEX ");
    }
    tx.exec0("drop foreign table " + table);
    return found;
}

// PostgreSQL's name of a type as SQL takes it: varchar is compared as text.
std::string key_type(const std::string& udt) { return udt == "varchar" ? "text" : udt; }

void verify_key(const External& external, const Columns& columns, diag::Findings& findings) {
    const auto key = columns.find(external.key);
    const std::string path = external.path + "/external/key";
    if (key == columns.end()) {
        tell_mismatch(path, named(external) + " has no column " + external.key + ".",
                      "Name the column that tells its rows apart.", findings);
    } else if (!kKeys.contains(key->second)) {
        tell_mismatch(path,
                      "The key " + external.key + " of " + named(external) + " is of type " +
                          key->second + ".",
                      "A key is a uuid, a whole number or a text.", findings);
    } else if (!external.typed_key && key_type(key->second) == "text") {
        tell_mismatch(path,
                      "The key " + external.key + " of " + named(external) +
                          " is a text, which nothing in the contract says.",
                      "Name it as a field too: {\"name\": \"" + external.key +
                          "\", \"type\": \"string\"}, with \"write\": [] where the other "
                          "database makes it.",
                      findings);
    }
}

std::string mend_of(const External::Column& column, const std::string& there) {
    const bool alike = (there == "float4" && column.sql_type == "double precision") ||
                       (there == "bpchar" && column.sql_type == "text");
    if (!alike) return "Give the field the type that the column has, or leave it out.";
    return "Change the column there: alter column " + plan::ident(column.name) + " type " +
           column.sql_type + "; or leave the field out.";
}

void verify_column(const External& external, const External::Column& column, const Columns& columns,
                   diag::Findings& findings) {
    const auto there = columns.find(column.name);
    if (there == columns.end()) {
        return tell_mismatch(
            column.path,
            named(external) + " has no column " + column.name + ", or its account may not read it.",
            "Name the fields as the table's columns are called.", findings);
    }
    const auto fits = kFits.find(column.sql_type);
    if (fits != kFits.end() && fits->second.contains(there->second)) return;
    tell_mismatch(column.path,
                  "The column " + column.name + " of " + named(external) + " is of type " +
                      there->second + ", which no " + column.sql_type + " can stand for.",
                  mend_of(column, there->second), findings);
}

void verify_table(const External& external, const Columns& columns, diag::Findings& findings) {
    if (columns.empty()) {
        return tell_mismatch(external.path + "/external/table",
                             "The other database has no table " + named(external) +
                                 ", or its account has no right to it.",
                             "Name it as it is there, in its schema: public.legacy_order.",
                             findings);
    }
    verify_key(external, columns, findings);
    for (const auto& column : external.columns) verify_column(external, column, columns, findings);
}

void verify_unique(const External& external, bool unique, diag::Findings& findings) {
    if (unique) return;
    tell_mismatch(external.path + "/external/key",
                  named(external) + " has no unique index of " + external.key +
                      " alone, so one id could be many rows.",
                  "Name its primary key, or a column with a unique constraint; a view has none.",
                  findings);
}

void unreachable(const External& external, const std::string& told, diag::Findings& findings) {
    findings.error(
        "EXTERNAL_UNREACHABLE", external.path + "/external/connection",
        "The database of secret " + external.connection + " does not answer. PostgreSQL: " + told,
        "Look at the address, and whether it can be reached from here.");
}

}  // namespace

std::map<std::string, std::string> verify(pqxx::work& tx, const plan::Plan& plan,
                                          diag::Findings& findings) {
    std::map<std::string, std::string> types;
    tx.exec0("create schema if not exists " + plan::kForeignSchema);
    for (const External& external : plan.externals) {
        try {
            pqxx::subtransaction sub(tx);
            const Columns columns = read_columns(sub, external);
            const bool unique = columns.empty() || is_unique(sub, external);
            sub.commit();
            verify_table(external, columns, findings);
            if (columns.contains(external.key)) verify_unique(external, unique, findings);
            if (const auto key = columns.find(external.key);
                key != columns.end() && !external.typed_key)
                types[external.entity] = key_type(key->second);
        } catch (const pqxx::broken_connection& lost) {
            // libpqxx says so of the other database too: ours is open then.
            if (!tx.conn().is_open()) throw;
            unreachable(external, lost.what(), findings);
        } catch (const pqxx::sql_error& error) {
            unreachable(external, error.what(), findings);
        }
    }
    return types;
}

}  // namespace svc::migrate
