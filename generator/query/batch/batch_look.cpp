#include "query/batch/batch_look.hpp"

#include <vector>

#include "diag/finding.hpp"
#include "query/functions.hpp"
#include "query/scratch/resolved_check.hpp"
#include "sql/allowed.hpp"
#include "sql/descent.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::dotted;
using sql::member;
using sql::names;
using sql::text;
using sql::unprefixed;
namespace {

using Json = nlohmann::json;

// Beside the nodes that a named query may have (allowed.hpp).
constexpr std::string_view kBatchKinds =
    " CommonTableExpr DeleteStmt FuncCall InsertStmt LockingClause MergeStmt MergeWhenClause "
    "ParamRef RangeVar SQLValueFunction SelectStmt TypeName UpdateStmt WithClause ";

class BatchWalk : public sql::Descent {
  public:
    StatementCheck found;

  private:
    void refuse(std::string why) {
        if (!found.refused.empty()) return;
        found.refused = std::move(why);
        found.at = at_;
    }

    void visit(const std::string& kind, const Json& value) override {
        look(kind, value);
        if (kind == "TypeName")
            each("typmods", member(value, "typmods"));
        else
            members(value);
    }

    void look(const std::string& kind, const Json& value) {
        if (is_row_statement(kind) && kind != "SelectStmt") found.writes = true;
        if (kind == "IntoClause")
            return refuse("SELECT INTO creates a table. Use CREATE TABLE in a separate call.");
        if (kind == "RangeVar") return relation(value);
        if (kind == "FuncCall") return call(value);
        if (kind == "TypeName") return type(value);
        if (!sql::is_plain_node(kind) && !sql::lists(kBatchKinds, kind))
            return refuse("This part of SQL (" + kind + ") is not allowed here.");
        for (const char* key : {"name", "operName", "useOp"})
            if (member(value, key).is_array()) symbol(names(member(value, key)));
    }

    void symbol(const std::vector<std::string>& name) {
        if (name.size() != 1)
            return refuse(
                "The operator " + dotted(name) +
                " names a schema. Remove the schema: only PostgreSQL's own operators are allowed.");
        if (!sql::is_operator_node(name[0]))
            refuse("The operator " + name[0] + " is not allowed here.");
    }

    void relation(const Json& value) {
        const std::string schema = text(value, "schemaname"), name = text(value, "relname");
        // No barrier keeps a condition of somebody's own from rows that are not theirs.
        if (schema == "svc" && name.ends_with("_rows"))
            return refuse("svc." + name + " is only for lists. Use the table itself.");
        const bool catalogue =
            schema == "pg_catalog" || (schema.empty() && name.starts_with("pg_"));
        if (catalogue && !is_read_catalogue(name))
            refuse(
                "\"" + name +
                "\" describes the whole server, or things that an app does not need, so it cannot "
                "be read here.");
    }

    void call(const Json& value) {
        const auto written = names(member(value, "funcname"));
        auto parts = written;
        if (parts.size() == 1) parts.insert(parts.begin(), "pg_catalog");
        const bool builtin = parts.size() == 2 && parts[0] == "pg_catalog";
        if (parts.size() == 2 &&
            ((builtin && sql::is_computing(parts[1])) || is_developers(parts[0], parts[1])))
            return;
        const std::string near = builtin ? diag::nearest(parts[1], functions()) : std::string();
        refuse("The function " + dotted(written) + " is not allowed here. " +
               (near.empty() ? "Use only functions of PostgreSQL that only compute."
                             : "Did you mean " + near + "?"));
    }

    void type(const Json& value) {
        const auto written = names(member(value, "names"));
        const auto builtin = unprefixed(written, "pg_catalog");
        const auto own = unprefixed(written, "public");
        const bool odd = value.contains("pct_type") || value.contains("setof");
        if (!odd && builtin.size() == 1 && sql::is_type(builtin[0])) return;
        const bool maybe = own.size() == 1 && !own[0].starts_with("_") &&
                           !own[0].starts_with("reg") && !own[0].starts_with("pg_");
        if (!odd && maybe) {
            found.own_types.insert(own[0]);
            return;
        }
        refuse("The type " + dotted(written) +
               " is not allowed here. Use types for strings, numbers, dates, JSON, ranges and "
               "uuid, or the app's enumerations.");
    }
};

}  // namespace

bool is_row_statement(const std::string& kind) {
    return sql::lists(" SelectStmt InsertStmt UpdateStmt DeleteStmt MergeStmt ", kind);
}

StatementCheck look_at(const Json& statement) {
    BatchWalk walk;
    walk.each("stmt", statement);
    return std::move(walk.found);
}

}  // namespace svc::query
