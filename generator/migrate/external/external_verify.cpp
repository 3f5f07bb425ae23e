// Whether tables of other databases are what the contract says they are.
#include <set>

#include "diag/codes.hpp"
#include "migrate/external/external.hpp"
#include "migrate/external/external_catalogue.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::External;

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

std::string named(const External& external) { return external.schema + "." + external.table; }

void report_mismatch(const std::string& path, const std::string& message, const std::string& fix,
                     diag::Findings& findings) {
    findings.error("EXTERNAL_MISMATCH", path, message, fix);
}

// PostgreSQL's name of a type as SQL takes it: varchar is compared as text.
std::string key_type(const std::string& udt) { return udt == "varchar" ? "text" : udt; }

void verify_key(const External& external, const Columns& columns, diag::Findings& findings) {
    const auto key = columns.find(external.key);
    const std::string path = external.path + "/external/key";
    if (key == columns.end()) {
        report_mismatch(path, named(external) + " has no column " + external.key + ".",
                        "Name the column that identifies a row.", findings);
    } else if (!kKeys.contains(key->second.type)) {
        report_mismatch(path,
                        "The key " + external.key + " of " + named(external) + " is of type " +
                            key->second.type + ".",
                        "Use a key of type uuid, whole number or text.", findings);
    } else if (!external.typed_key && key_type(key->second.type) == "text") {
        report_mismatch(path,
                        "The key " + external.key + " of " + named(external) +
                            " is a text, but the contract has no field for it.",
                        "Add a field: {\"name\": \"" + external.key +
                            "\", \"type\": \"string\"}, with \"write\": [] if the other "
                            "database sets it.",
                        findings);
    }
}

std::string mend_of(const External::Column& column, const std::string& there) {
    const bool alike = (there == "float4" && column.sql_type == "double precision") ||
                       (there == "bpchar" && column.sql_type == "text");
    if (!alike) return "Give the field the type of the column, or remove it.";
    return "Change the column in the other database: alter column " + plan::ident(column.name) +
           " type " + column.sql_type + "; or remove the field.";
}

// Reports a column whose texts can equal other texts there but not here, and that cannot be
// searched for a part of a text.
void report_loose(const External& external, const std::string& column, const std::string& path,
                  diag::Findings& findings) {
    report_mismatch(path,
                    "The column " + column + " of " + named(external) +
                        " has a nondeterministic collation, so different strings can be equal.",
                    "Give the column a deterministic collation: alter column " +
                        plan::ident(column) +
                        " type text collate \"default\"; or remove the field.",
                    findings);
}

void verify_column(const External& external, const External::Column& column, const Columns& columns,
                   diag::Findings& findings) {
    const auto there = columns.find(column.name);
    if (there == columns.end()) {
        return report_mismatch(column.path,
                               named(external) + " has no column " + column.name +
                                   ", or the account in the secret may not read it.",
                               "Give the field the name of the column.", findings);
    }
    const auto fits = kFits.find(column.sql_type);
    if (fits == kFits.end() || !fits->second.contains(there->second.type))
        return report_mismatch(column.path,
                               "The column " + column.name + " of " + named(external) +
                                   " is of type " + there->second.type +
                                   ", but the field is of type " + column.sql_type + ".",
                               mend_of(column, there->second.type), findings);
    if (there->second.loose) report_loose(external, column.name, column.path, findings);
}

void verify_table(const External& external, const Columns& columns, diag::Findings& findings) {
    if (columns.empty()) {
        return report_mismatch(
            external.path + "/external/table",
            "The other database has no table " + named(external) +
                ", or the account in the secret may not read it.",
            "Write the schema and the name as in the other database: public.legacy_order.",
            findings);
    }
    verify_key(external, columns, findings);
    for (const auto& column : external.columns) verify_column(external, column, columns, findings);
}

void verify_unique(const External& external, bool unique, diag::Findings& findings) {
    if (unique) return;
    report_mismatch(
        external.path + "/external/key",
        named(external) + " has no unique index of " + external.key +
            " alone, so several rows could have the same id.",
        "Use the primary key, or a column with a unique constraint. A view has neither.", findings);
}

void unreachable(const External& external, const std::string& message, diag::Findings& findings) {
    findings.error(diag::kExternalUnreachable, external.path + "/external/connection",
                   "The database of secret " + external.connection +
                       " does not answer. PostgreSQL: " + message,
                   "Check the address, and the network between the two servers.");
}

// A server may have several addresses, so it is recognised by its databases. The app's own database
// is named after its project and this installation.
bool is_own_server(pqxx::transaction_base& tx, const External& external, diag::Findings& findings) {
    const std::string here = tx.exec1("select current_database()")[0].c_str();
    if (!has_database(tx, external, here)) return false;
    findings.error("BAD_CONNECTION", external.path + "/external/connection",
                   "The secret " + external.connection + " leads to svc's own PostgreSQL.",
                   "Use another PostgreSQL server, or make it an entity of the app.");
    return true;
}

}  // namespace

std::map<std::string, std::string> verify(pqxx::work& tx, const plan::Plan& plan,
                                          diag::Findings& findings) {
    std::map<std::string, std::string> types;
    tx.exec0("create schema if not exists " + plan::kForeignSchema);
    for (const External& external : plan.externals) {
        try {
            pqxx::subtransaction sub(tx);
            if (is_own_server(sub, external, findings)) continue;
            const Columns columns = read_columns(sub, external);
            const bool unique = columns.empty() || is_unique(sub, external);
            sub.commit();
            verify_table(external, columns, findings);
            if (columns.contains(external.key)) verify_unique(external, unique, findings);
            if (const auto key = columns.find(external.key);
                key != columns.end() && !external.typed_key)
                types[external.entity] = key_type(key->second.type);
        } catch (const pqxx::broken_connection& lost) {
            // libpqxx throws this for the other database too: then the app's connection is open.
            if (!tx.conn().is_open()) throw;
            unreachable(external, lost.what(), findings);
        } catch (const pqxx::sql_error& error) {
            unreachable(external, error.what(), findings);
        }
    }
    return types;
}

}  // namespace svc::migrate
