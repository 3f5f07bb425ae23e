#include "query/batch.hpp"

#include <pg_query.h>

#include <algorithm>
#include <set>

#include "query/grammar.hpp"
#include "query/tree.hpp"

namespace svc::query {
namespace {

using Json = nlohmann::json;

// PostgreSQL's grammar makes its trees on the stack.
constexpr std::size_t kMostOfOne = 16384;
constexpr const char* kDenied = "42501";

const std::set<std::string> kRowKinds = {"SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt",
                                         "MergeStmt"};
const std::set<std::string> kDefinitions = {"CreateStmt", "AlterTableStmt", "IndexStmt",
                                            "CreateEnumStmt", "CommentStmt"};

// Functions of PostgreSQL that run a text as SQL, change a setting, keep bytes outside of tables,
// or meet other sessions. What a role without rights may not do is left to PostgreSQL.
const std::set<std::string> kNoFunctions = {"set_config", "ts_stat",         "ts_rewrite",
                                            "loread",     "lowrite",         "shobj_description",
                                            "to_regrole", "inet_server_addr"};
// Of those that begin with pg_, whatever may be asked about rows, types and definitions.
const std::set<std::string> kPgFunctions = {"pg_typeof",
                                            "pg_size_pretty",
                                            "pg_size_bytes",
                                            "pg_column_size",
                                            "pg_column_compression",
                                            "pg_relation_size",
                                            "pg_table_size",
                                            "pg_indexes_size",
                                            "pg_total_relation_size",
                                            "pg_current_snapshot",
                                            "pg_current_xact_id",
                                            "pg_get_constraintdef",
                                            "pg_get_expr",
                                            "pg_get_functiondef",
                                            "pg_get_indexdef",
                                            "pg_get_triggerdef",
                                            "pg_get_viewdef",
                                            "pg_get_serial_sequence",
                                            "pg_get_function_arguments",
                                            "pg_get_function_result",
                                            "pg_get_partkeydef",
                                            "pg_table_is_visible",
                                            "pg_client_encoding"};
// Answers to requests that are repeated, and what sessions ask: a server's own business.
const std::set<std::string> kNoSvcFunctions = {"claim_key", "keep_answer", "saved_answer",
                                               "require_session"};
// Catalogues of the whole server: they name other projects' databases and roles.
const std::set<std::string> kShared = {
    "pg_database", "pg_authid", "pg_auth_members", "pg_roles", "pg_user", "pg_shadow", "pg_group",
    "pg_tablespace", "pg_shdepend", "pg_shdescription", "pg_shseclabel", "pg_db_role_setting",
    "pg_locks", "pg_prepared_xacts", "pg_replication_slots", "pg_replication_origin",
    "pg_subscription",
    // Writing to it is set_config().
    "pg_settings", "pg_parameter_acl"};

bool denied_function(const std::vector<std::string>& name) {
    if (name.empty()) return false;
    const std::string& last = name.back();
    // Each runs a text, or reads a whole catalogue.
    if (last.ends_with("_to_xml") || last.ends_with("_to_xmlschema") ||
        last.ends_with("_to_xml_and_xmlschema"))
        return true;
    if (name.size() >= 2 && name[name.size() - 2] == "svc") return kNoSvcFunctions.contains(last);
    if (last.starts_with("pg_")) return !kPgFunctions.contains(last);
    return last.starts_with("lo_") || last.starts_with("dblink") || kNoFunctions.contains(last);
}

bool denied_table(const Json& range) {
    const std::string schema = text(range, "schemaname"), name = text(range, "relname");
    if (!schema.empty() && schema != "pg_catalog") return false;
    return kShared.contains(name) || name.starts_with("pg_stat_");
}

// What lists read of other databases: no barrier keeps a condition of somebody's own from rows that
// are not his.
bool without_barrier(const Json& range) {
    return text(range, "schemaname") == "svc" && text(range, "relname").ends_with("_rows");
}

struct Found {
    std::string refused;
    std::size_t at = 0;  // byte of the statement
    bool writes = false;
};

void refuse(Found& found, const Json& node, std::string why) {
    if (!found.refused.empty()) return;
    found.refused = std::move(why);
    found.at = node.value("location", std::size_t{0});
}

void look(const Json& value, Found& found);

void look_at(const std::string& key, const Json& node, Found& found) {
    if (key == "FuncCall" && denied_function(names(member(node, "funcname"))))
        refuse(found, node,
               "The function " + dotted(names(member(node, "funcname"))) + " is not taken here.");
    if ((key == "RangeVar" || key == "relation") && denied_table(node))
        refuse(found, node,
               "\"" + text(node, "relname") + "\" tells of the whole server and is not read here.");
    if ((key == "RangeVar" || key == "relation") && without_barrier(node))
        refuse(found, node,
               "svc." + text(node, "relname") + " is for lists alone; name the table itself.");
    if ((key == "TypeName" || key == "typeName") && node.is_object()) {
        const auto type = names(member(node, "names"));
        if (!type.empty() && type.back() == "regrole")
            refuse(found, node, "The type regrole is not taken here.");
    }
    if (key == "intoClause" || (key != "SelectStmt" && kRowKinds.contains(key)))
        found.writes = true;
    if (key == "intoClause")
        refuse(found, node, "SELECT INTO makes a table; CREATE TABLE does so by itself.");
    look(node, found);
}

// The tree is bounded (parse_sql), so this may recurse.
void look(const Json& value, Found& found) {
    if (value.is_array())
        for (const Json& item : value) look(item, found);
    if (value.is_object())
        for (const auto& [key, node] : value.items()) look_at(key, node, found);
}

std::string kind_in(const Json& statement) { return statement.begin().key(); }

bool taken(const Json& statement) {
    const std::string kind = kind_in(statement);
    if (kind == "VariableShowStmt") return true;
    if (kind != "ExplainStmt") return kRowKinds.contains(kind);
    const Json& explained = member(statement.begin().value(), "query");
    return is_node(explained) && kRowKinds.contains(kind_in(explained));
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class BatchReader {
  public:
    explicit BatchReader(const std::string& sql) : sql_(sql) {}

    Batch read() {
        const PgQuerySplitResult cut = pg_query_split_with_scanner(sql_.c_str());
        if (cut.error != nullptr)
            refuse_at(byte_of(sql_, cut.error->cursorpos), cut.error->message, "42601");
        std::size_t reached = 0;
        for (int i = 0; i < cut.n_stmts && batch_.refused.empty(); ++i) {
            const auto at = static_cast<std::size_t>(cut.stmts[i]->stmt_location);
            const auto length = static_cast<std::size_t>(cut.stmts[i]->stmt_len);
            between(reached, at);
            if (batch_.refused.empty()) statement(at, length);
            reached = at + length;
        }
        if (batch_.refused.empty()) between(reached, sql_.size());
        pg_query_free_split_result(cut);
        if (batch_.refused.empty() && definitions_ > 0) only_definitions();
        return std::move(batch_);
    }

  private:
    void refuse_at(std::size_t byte, std::string why, const char* sqlstate = kDenied) {
        batch_.refused = std::move(why);
        batch_.sqlstate = sqlstate;
        batch_.position = characters(std::string_view(sql_).substr(0, byte)) + 1;
    }

    // What the scanner takes for no statement must be none: words without a keyword are left out by
    // it.
    void between(std::size_t from, std::size_t to) {
        const std::string text = sql_.substr(from, to - from);
        if (text.find_first_not_of(" \t\r\n;") == std::string::npos) return;
        if (text.size() > kMostOfOne)
            return refuse_at(
                from, "A comment has " + std::to_string(kMostOfOne) + " bytes at most.", "54000");
        SyntaxError error;
        const auto tree = parse_sql(text, error);
        if (!tree) return refuse_at(from + error.at, error.message, "42601");
        if (!tree->empty()) refuse_at(from, "This could not be read.", "42601");
    }

    void statement(std::size_t at, std::size_t length) {
        const std::string text = sql_.substr(at, length);
        if (text.size() > kMostOfOne)
            return refuse_at(at,
                             "One statement has " + std::to_string(kMostOfOne) +
                                 " bytes at most. Write several.",
                             "54000");
        SyntaxError error;
        const auto tree = parse_sql(text, error);
        if (!tree) return refuse_at(at + error.at, error.message, "42601");
        if (tree->is_null()) return refuse_at(at, "The statement is nested too deeply.", "54001");
        if (tree->empty()) return;  // a comment
        if (tree->size() != 1) return refuse_at(at, "This could not be read.", "42601");
        add(at, text, tree->front().at("stmt"));
    }

    void add(std::size_t at, const std::string& text, const Json& statement) {
        if (batch_.statements.size() + definitions_ == kBatchStatements)
            return refuse_at(at, "100 statements at most run in one transaction.", "54000");
        if (kDefinitions.contains(kind_in(statement))) {
            if (definitions_++ == 0) first_definition_ = at;
            return;
        }
        if (!taken(statement))
            return refuse_at(at,
                             "What runs here is SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES, "
                             "EXPLAIN and SHOW, not this statement.");
        Found found;
        look(statement, found);
        if (!found.refused.empty()) return refuse_at(at + found.at, found.refused);
        const bool cursor = kind_in(statement) == "SelectStmt" && !found.writes;
        batch_.statements.push_back(
            {text, characters(std::string_view(sql_).substr(0, at)), cursor});
    }

    void only_definitions() {
        refuse_at(first_definition_,
                  "Definitions run in a call of their own, without statements about rows.");
        batch_.definitions = batch_.statements.empty();
    }

    const std::string& sql_;
    Batch batch_;
    std::size_t definitions_ = 0, first_definition_ = 0;
};

}  // namespace

Batch read_batch(const std::string& sql) { return BatchReader(sql).read(); }

}  // namespace svc::query
