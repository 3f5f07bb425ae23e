#include "query/read/walk.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "diag/finding.hpp"
#include "query/functions.hpp"
#include "query/read/outline.hpp"
#include "sql/allowed.hpp"
#include "sql/descent.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::dotted;
using sql::member;
using sql::names;
using sql::text;
namespace {

using Json = nlohmann::json;

constexpr unsigned kMaxWalk = 400;

bool is_writing(const std::string& kind) {
    return kind == "InsertStmt" || kind == "UpdateStmt" || kind == "DeleteStmt" ||
           kind == "MergeStmt";
}

class Walker : public sql::Descent {
  public:
    explicit Walker(const Rules& rules) : rules_(rules) {}

    void statement(const Json& wrapped, std::size_t at) {
        const std::string& kind = wrapped.begin().key();
        const Json& node = wrapped.begin().value();
        const bool writes = is_writing(kind) && kind != "MergeStmt";
        if (kind != "SelectStmt" && !writes) {
            return report(at, "QUERY_STATEMENT",
                          "A named query must be a select, an insert, an update or a delete.",
                          "write one of these four");
        }
        if (writes && !rules_.writes) {
            return report(at, "QUERY_MODE", "This query writes, but its mode is read.",
                          "add \"mode\": \"write\"");
        }
        if (!writes && rules_.writes) {
            return report(at, "QUERY_MODE", "This query writes nothing, but its mode is write.",
                          "remove \"mode\"");
        }
        at_ = at;
        children(kind, node);
        result.columns = columns_of(node);
        result.conflict = conflict_of(node, at);
    }

    WalkResult result;

  private:
    void report(std::size_t at, const char* code, std::string message, std::string fix = {}) {
        rules_.report({at, code, std::move(message), std::move(fix)});
    }

    void forbid(const std::string& message, std::string fix = {}) {
        report(at_, "QUERY_FORBIDDEN", message, std::move(fix));
    }

    void visit(const std::string& kind, const Json& value) override {
        if (++depth_ <= kMaxWalk) {
            look(kind, value);
        } else if (!std::exchange(too_deep_, true)) {
            report(at_, "QUERY_TOO_LARGE", "The query is nested too deeply.", "make it simpler");
        }
        --depth_;
    }

    void look(const std::string& kind, const Json& value) {
        if (kind == "RangeVar") return relation(value);
        if (kind == "FuncCall") return call(value);
        if (kind == "TypeName") return type(value);
        if (kind == "SQLValueFunction") return value_function(value);
        if (kind == "ParamRef") {
            result.params.insert(at_);
            return;
        }
        if (kind == "LockingClause") {
            return report(at_, "QUERY_MODE", "A query that reads may not lock rows.",
                          "remove \"for update\" or \"for share\"");
        }
        if (kind == "IntoClause") {
            return report(at_, "QUERY_MODE", "\"select into\" would create a table.",
                          "remove \"into\"");
        }
        if (is_writing(kind)) {
            return report(at_, "QUERY_MODE", "A statement inside another one may not write.",
                          "write in a separate query");
        }
        if (kind == "SelectStmt") return children(kind, value);
        if (kind == "A_Indirection" && has_name(member(value, "indirection"))) {
            return forbid("(value).name could call any function.",
                          "name the column, or use a function of JSON");
        }
        if (!sql::is_plain_node(kind)) {
            return forbid("A named query may not use " + in_words(kind) + ".",
                          "write it without " + in_words(kind));
        }
        if (!plain_names(value)) return;
        if (kind == "ColumnRef") attribute(member(value, "fields"));
        if (kind == "ResTarget") result.writes.emplace(text(value, "name"), at_);
        children(kind, value);
    }

    void attribute(const Json& fields) {
        const std::string name = text(member(fields.back(), "String"), "sval");
        result.reads.emplace(name, at_);
    }

    static bool has_name(const Json& steps) {
        return std::any_of(steps.begin(), steps.end(),
                           [](const Json& step) { return step.contains("String"); });
    }

    static std::string in_words(const std::string& kind) {
        static const std::map<std::string, std::string> kWords = {
            {"CurrentOfExpr", "cursors"},      {"RangeTableSample", "tablesample"},
            {"RangeTableFunc", "xmltable"},    {"XmlExpr", "XML functions"},
            {"XmlSerialize", "XML functions"}, {"MergeStmt", "merge"},
        };
        const auto found = kWords.find(kind);
        return found == kWords.end() ? "this (" + kind + ")" : found->second;
    }

    // Operators and collations by their bare names alone: the schema of another could hold
    // anything. Operators are those of a list.
    bool plain_names(const Json& value) {
        for (const char* key : {"name", "operName", "useOp"}) {
            const Json& list = member(value, key);
            if (!list.is_array() || list.size() != 1 || sql::is_operator_node(names(list)[0]))
                continue;
            forbid("A named query may not use the operator " + names(list)[0] + ".");
            return false;
        }
        for (const char* key : {"name", "operName", "useOp", "collname", "collation", "opclass"}) {
            const Json& list = member(value, key);
            if (!list.is_array() || list.size() < 2) continue;
            forbid("\"" + dotted(names(list)) + "\" names a schema.", "remove the schema");
            return false;
        }
        return true;
    }

    // WITH first: what it names can be read from in the rest of its statement.
    void children(const std::string& kind, const Json& value) {
        const std::size_t known = scope_.size();
        const Json& with = member(value, "withClause");
        const bool is_with = kind == "SelectStmt" || is_writing(kind);
        if (is_with && with.is_object()) with_clause(with);
        for (const auto& [key, child] : value.items()) {
            if (!child.is_structured() || (is_with && key == "withClause")) continue;
            if (is_writing(kind) && key == "relation") {
                target(child);
            } else {
                each(key, child);
            }
        }
        scope_.resize(known);
    }

    void with_clause(const Json& with) {
        const Json& queries = member(with, "ctes");
        const bool recursive = member(with, "recursive").is_boolean();
        const auto name_of = [](const Json& query) {
            return text(member(query, "CommonTableExpr"), "ctename");
        };
        if (recursive) {
            for (const Json& query : queries) scope_.push_back(name_of(query));
        }
        for (const Json& query : queries) {
            const Json& inside = member(query, "CommonTableExpr");
            members(inside);
            if (!recursive) scope_.push_back(name_of(query));
        }
    }

    // The target of a write is always a table, also if WITH has the same name.
    void target(const Json& value) {
        std::vector<std::string> scope;
        scope.swap(scope_);
        each("relation", value);
        scope.swap(scope_);
    }

    void relation(const Json& value) {
        const std::string name = text(value, "relname");
        if (value.contains("schemaname") || value.contains("catalogname")) {
            return forbid("\"" + text(value, "schemaname") + "." + name + "\" names a schema.",
                          "write only the entity's name");
        }
        if (std::find(scope_.begin(), scope_.end(), name) != scope_.end()) return;
        const auto& known = rules_.entities;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            std::string near = diag::nearest(name, known);
            report(at_, "UNKNOWN_ENTITY", "There is no entity \"" + name + "\".",
                   near.empty() ? "a query reads entities and names of its WITH"
                                : "did you mean \"" + near + "\"?");
            return;
        }
        result.relations.insert(at_);
        result.tables.insert(name);
    }

    void call(const Json& value) {
        const auto name = sql::unprefixed(names(member(value, "funcname")), "pg_catalog");
        if (name.size() != 1 || !sql::is_computing(name[0])) {
            const std::string near =
                name.size() == 1 ? diag::nearest(name[0], functions()) : std::string();
            const bool caller = name[0] == "auth" || name.back() == "current_setting";
            report(at_, "QUERY_FUNCTION", "A named query may not call " + dotted(name) + "().",
                   caller ? "remove it: a query sees only the rows that \"access\" lets its caller "
                            "read"
                   : near.empty() ? "use PostgreSQL's functions that only compute, by their names "
                                    "alone"
                                  : "did you mean " + near + "()?");
            return;
        }
        children("FuncCall", value);
    }

    void type(const Json& value) {
        const auto name = sql::unprefixed(names(member(value, "names")), "pg_catalog");
        const bool plain = name.size() == 1 && sql::is_type(name[0]) &&
                           !value.contains("pct_type") && !value.contains("setof");
        if (plain) return;
        report(at_, "QUERY_TYPE", "A named query may not use the type " + dotted(name) + ".",
               "cast to a type for strings, numbers, dates, JSON or ranges");
    }

    void value_function(const Json& value) {
        const std::string which = text(value, "op");
        if (which.find("DATE") != std::string::npos || which.find("TIME") != std::string::npos) {
            return;
        }
        report(at_, "QUERY_FUNCTION",
               "current_user and similar functions name roles of the database, not the caller.",
               "set in \"access\" which rows a caller sees");
    }

    const Rules& rules_;
    std::vector<std::string> scope_;  // names that WITH gave, here
    unsigned depth_ = 0;
    bool too_deep_ = false;
};

}  // namespace

WalkResult walk(const Json& statement, std::size_t at, const Rules& rules) {
    Walker walker(rules);
    walker.statement(statement, at);
    return std::move(walker.result);
}

}  // namespace svc::query
