#include "query/ddl/ddl.hpp"

#include "query/ddl/ddl_parts.hpp"
#include "sql/allowed.hpp"
#include "sql/grammar.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::member;
using sql::parse_sql;
using sql::SyntaxError;
using sql::text;
using sql::value_text;
namespace {

using Json = nlohmann::json;

// PostgreSQL's grammar makes its trees on the stack.
constexpr std::size_t kMostBytes = 16384;
constexpr const char* kAllowed =
    " Use CREATE TABLE, ALTER TABLE … ADD COLUMN, CREATE INDEX, CREATE TYPE … AS "
    "ENUM "
    "or COMMENT ON, for tables that belong to no entity. Change tables of entities in the "
    "contract.";

class DdlReader {
  public:
    explicit DdlReader(const DdlContext& context) : parts_(context) {}

    void statement(const std::string& kind, const Json& node) {
        if (kind == "CreateStmt") return create_table(node);
        if (kind == "AlterTableStmt") return add_columns(node);
        if (kind == "IndexStmt") return create_index(node);
        if (kind == "CreateEnumStmt") return create_enum(node);
        if (kind == "CommentStmt") return comment(node);
        parts_.refuse("This statement is not allowed (" + kind + ").");
    }

    const std::string& refused() const { return parts_.refused(); }

  private:
    void create_table(const Json& node) {
        parts_.only(node, {"relation", "tableElts", "oncommit", "if_not_exists"}, "CREATE TABLE");
        parts_.table(member(node, "relation"));
        parts_.no_builtin(text(member(node, "relation"), "relname"));
        if (value_text(node, "oncommit") != "NOOP") parts_.refuse("ON COMMIT is not allowed.");
        for (const Json& item : member(node, "tableElts")) {
            if (item.contains("ColumnDef")) {
                parts_.column(item.at("ColumnDef"));
            } else if (item.contains("Constraint")) {
                parts_.constraint(item.at("Constraint"));
            } else {
                parts_.refuse("A table can have only columns and constraints.");
            }
        }
    }

    void add_columns(const Json& node) {
        parts_.only(node, {"relation", "cmds", "objtype", "missing_ok"}, "ALTER TABLE");
        parts_.table(member(node, "relation"));
        if (value_text(node, "objtype") != "TABLE") parts_.refuse("Only tables can be altered.");
        for (const Json& item : member(node, "cmds")) {
            const Json& command = member(item, "AlterTableCmd");
            parts_.only(command, {"subtype", "def", "behavior", "missing_ok"}, "ALTER TABLE");
            if (value_text(command, "subtype") != "AddColumn")
                return parts_.refuse("ALTER TABLE can only add columns.");
            parts_.column(member(member(command, "def"), "ColumnDef"));
        }
    }

    void create_index(const Json& node) {
        parts_.only(node,
                    {"idxname", "relation", "accessMethod", "indexParams", "whereClause", "unique",
                     "nulls_not_distinct", "if_not_exists"},
                    "CREATE INDEX");
        parts_.table(member(node, "relation"));
        if (node.contains("idxname")) parts_.object_name(text(node, "idxname"));
        const std::string method = text(node, "accessMethod");
        if (method != "btree" && method != "hash" && method != "gin" && method != "gist")
            parts_.refuse("An index must be btree, hash, gin or gist.");
        for (const Json& item : member(node, "indexParams")) {
            const Json& element = member(item, "IndexElem");
            parts_.only(element, {"name", "expr", "ordering", "nulls_ordering"}, "An index");
            parts_.expression(member(element, "expr"));
        }
        parts_.expression(member(node, "whereClause"));
    }

    void create_enum(const Json& node) {
        parts_.only(node, {"typeName", "vals"}, "CREATE TYPE");
        const std::string name = parts_.plain_name(member(node, "typeName"));
        parts_.no_entity(name);
        parts_.no_builtin(name);
        parts_.add_enum(name);
    }

    void comment(const Json& node) {
        parts_.only(node, {"objtype", "object", "comment"}, "COMMENT ON");
        const std::string what = value_text(node, "objtype");
        if (what == "TYPE") {
            const Json& type = member(member(node, "object"), "TypeName");
            parts_.only(type, {"names", "typemod"}, "A type");
            const std::string name = parts_.plain_name(member(type, "names"));
            if (!parts_.is_enum(name)) parts_.refuse("There is no enumeration \"" + name + "\".");
            return;
        }
        if (what != "TABLE" && what != "COLUMN")
            return parts_.refuse("Only tables, columns and enumerations can have comments.");
        Json path = member(member(member(node, "object"), "List"), "items");
        if (what == "COLUMN" && path.size() > 1) path.erase(path.size() - 1);
        parts_.no_entity(parts_.plain_name(path));
    }

    DdlParts parts_;
};

// The text of one statement, as PostgreSQL's parser cuts it.
std::string statement_text(const std::string& sql, const Json& raw) {
    const auto at = raw.value("stmt_location", std::size_t{0});
    const auto length = raw.value("stmt_len", std::size_t{0});
    return sql.substr(at, length == 0 ? std::string::npos : length);
}

}  // namespace

Ddl read_ddl(const std::string& sql, const DdlContext& context) {
    Ddl out;
    if (sql.size() > kMostBytes) {
        out.refused = "sql has more than 16,384 bytes: send it in parts.";
        return out;
    }
    SyntaxError error;
    const auto statements = parse_sql(sql, error);
    if (!statements) {
        out.refused = error.message + " (byte " + std::to_string(error.at + 1) + ").";
        return out;
    }
    if (statements->is_null())
        out.refused = "sql is nested too deeply.";
    else if (statements->empty())
        out.refused = "sql is empty.";
    DdlReader reader(context);
    for (const Json& raw : *statements) {
        const Json& statement = raw.at("stmt");
        reader.statement(statement.begin().key(), statement.begin().value());
        out.statements.push_back(statement_text(sql, raw));
    }
    if (!reader.refused().empty()) out.refused = reader.refused() + kAllowed;
    return out;
}

}  // namespace svc::query
