#include "migrate/external/external_catalogue.hpp"

#include <algorithm>
#include <set>

#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::External;

// A foreign table of the other database's own catalogue, for as long as it stands.
class Catalogue {
  public:
    // `table` is schema.table there; `columns` with types, as of a create.
    Catalogue(pqxx::transaction_base& tx, const External& external, const char* schema,
              const char* table, const char* columns)
        : tx_(tx) {
        tx_.exec0("create foreign table " + name() + " (" + columns + ")\nserver " +
                  plan::ident(plan::server_name(external.connection)) + " options (schema_name '" +
                  schema + "', table_name '" + table + "')");
    }
    void drop() { tx_.exec0("drop foreign table " + name()); }
    static std::string name() { return std::string(plan::kForeignSchema) + ".svc_catalogue"; }

  private:
    pqxx::transaction_base& tx_;
};

// Names of collations that hold different texts for equal, whatever schema they are in.
std::set<std::string> loose_collations(pqxx::transaction_base& tx, const External& external) {
    Catalogue collations(tx, external, "pg_catalog", "pg_collation",
                         "collname text, collisdeterministic boolean");
    std::set<std::string> out;
    for (const auto& row :
         tx.exec("select collname from " + Catalogue::name() + " where not collisdeterministic"))
        out.insert(row[0].c_str());
    collations.drop();
    return out;
}

}  // namespace

Columns read_columns(pqxx::transaction_base& tx, const External& external) {
    Catalogue columns(
        tx, external, "information_schema", "columns",
        "table_schema text, table_name text, column_name text, udt_name text, collation_name text");
    const pqxx::result rows =
        tx.exec_params("select column_name, udt_name, collation_name from " + Catalogue::name() +
                           " where table_schema = $1 and table_name = $2",
                       external.schema, external.table);
    columns.drop();
    const auto named = [](const pqxx::row& row) { return !row[2].is_null(); };
    std::set<std::string> loose;  // the database's own collation is none of them
    if (std::any_of(rows.begin(), rows.end(), named)) loose = loose_collations(tx, external);
    Columns out;
    for (const auto& row : rows)
        out[row[0].c_str()] = {row[1].c_str(), named(row) && loose.contains(row[2].c_str())};
    return out;
}

bool is_unique(pqxx::transaction_base& tx, const External& external) {
    Catalogue indexes(tx, external, "pg_catalog", "pg_indexes",
                      "schemaname text, tablename text, indexdef text");
    const std::string by_key = " (" + plan::ident(external.key) + ")";
    const std::string by_plain_key = " (" + external.key + ")";
    bool found = false;
    for (const auto& row : tx.exec_params("select indexdef from " + Catalogue::name() +
                                              " where schemaname = $1 and tablename = $2",
                                          external.schema, external.table)) {
        const std::string definition = row[0].c_str();
        const bool whole = definition.ends_with(by_key) || definition.ends_with(by_plain_key);
        found |= whole && definition.starts_with("CREATE UNIQUE INDEX ");
    }
    indexes.drop();
    return found;
}

bool has_database(pqxx::transaction_base& tx, const External& external, const std::string& name) {
    Catalogue databases(tx, external, "pg_catalog", "pg_database", "datname name");
    const auto rows =
        tx.exec_params("select from " + Catalogue::name() + " where datname = $1::name", name);
    databases.drop();
    return !rows.empty();
}

}  // namespace svc::migrate
