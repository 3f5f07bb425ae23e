#include "data/sql/reader.hpp"

#include <algorithm>
#include <optional>

#include "base/sql_state.hpp"
#include "sql/allowed.hpp"
#include "sql/descent.hpp"
#include "sql/tree.hpp"

namespace svc::data::sql {

namespace {

using Json = nlohmann::json;
using svc::sql::member;
using svc::sql::names;
using svc::sql::text;
using svc::sql::unprefixed;

// Beside the nodes that every reader takes.
constexpr std::string_view kOfQueries = " CommonTableExpr SelectStmt WithClause ";

// Functions that the grammar calls for LIKE, SIMILAR TO and OVERLAPS.
constexpr std::string_view kOfGrammar = " like_escape overlaps similar_to_escape ";

bool writes(const std::string& kind) {
    return svc::sql::lists(" InsertStmt UpdateStmt DeleteStmt ", kind);
}

class Reader : public svc::sql::Descent {
  public:
    Result<Reading> read(const Json& statement) {
        const std::string& kind = statement.begin().key();
        const Json& value = statement.begin().value();
        if (kind == "SelectStmt")
            each("stmt", statement);
        else if (writes(kind))
            writing(kind, value);
        else
            refuse(
                "This kind of statement is not allowed. POST /data/query takes SELECT, WITH, "
                "VALUES and TABLE. POST /data/exec takes INSERT, UPDATE and DELETE.");
        hold_dotted();
        if (error_) return *error_;
        return std::move(reading_);
    }

  private:
    void refuse(std::string why, std::string_view sqlstate = {}) {
        if (error_) return;
        error_ = bad_params(std::move(why));
        error_->sqlstate = sqlstate;
    }

    void visit(const std::string& kind, const Json& value) override {
        if (error_) return;
        if (kind == "SelectStmt") {
            ++selects_;
            members(value);
            --selects_;
            return;
        }
        if (kind == "RangeVar") return relation(value);
        if (kind == "RangeFunction") return function_in_from(value);
        if (kind == "FuncCall") return call(value);
        if (kind == "TypeName") return type(value);
        if (kind == "ColumnRef") return column(value);
        if (kind == "ParamRef") return param(value);
        if (kind == "SQLValueFunction") return value_function(value);
        if (kind == "CurrentOfExpr")
            return refuse("Cursors are not available.", base::sqlstate::kNoCursor);
        if (kind == "LockingClause")
            return refuse("A query may not lock rows.", base::sqlstate::kNotSupported);
        if (kind == "IntoClause") return refuse("A query may not create a table.");
        if (kind == "OnConflictClause")
            return refuse(
                "ON CONFLICT is not allowed here. Use POST /api/v1/<table>?onConflict=….");
        if (writes(kind) || kind == "MergeStmt")
            return refuse("A statement may write only one table.");
        if (!svc::sql::is_plain_node(kind) && !svc::sql::lists(kOfQueries, kind))
            return refuse("This part of SQL (" + kind + ") is not allowed here.");
        plain(kind, value);
        members(value);
    }

    void plain(const std::string& kind, const Json& value) {
        if (svc::sql::lists(" ResTarget Alias CommonTableExpr ", kind)) give_names(value);
        if (kind == "A_Indirection") elements_alone(member(value, "indirection"));
        for (const char* key : {"name", "operName", "useOp"})
            if (member(value, key).is_array()) symbol(names(member(value, key)));
        if (member(value, "collname").size() > 1) refuse("Write the collation without a schema.");
    }

    // The names that the statement gives to its own columns. None of them may look like a name of
    // PostgreSQL.
    void give_names(const Json& value) {
        for (const char* key : {"aliasname", "ctename"})
            if (text(value, key).starts_with("pg_"))
                refuse("Names that begin with pg_ belong to PostgreSQL: " + text(value, key) + ".");
        if (const std::string name = text(value, "name"); !name.empty()) given_.insert(name);
        for (const char* key : {"colnames", "aliascolnames"})
            for (const std::string& name : names(member(value, key))) given_.insert(name);
    }

    // (x).name could call any function.
    void elements_alone(const Json& steps) {
        const auto element = [](const Json& step) { return step.contains("A_Indices"); };
        if (!std::all_of(steps.begin(), steps.end(), element))
            refuse(
                "A name may not follow a parenthesis, because (value).name could call a function.");
    }

    void symbol(const std::vector<std::string>& name) {
        if (name.size() != 1)
            refuse("Write the operator without a schema.");
        else if (!svc::sql::is_operator_node(name[0]))
            refuse("The operator " + name[0] + " is not allowed here.");
    }

    // Names that WITH gives are among them. What is neither that nor a table of the app is
    // PostgreSQL's to refuse, which has granted nothing else.
    void relation(const Json& value) {
        const std::string name = text(value, "relname");
        if (value.contains("schemaname") || value.contains("catalogname"))
            return refuse("Write the table without a schema.");
        if (!member(value, "inh").is_boolean()) return refuse("ONLY is not allowed here.");
        if (name.starts_with("pg_"))
            return refuse(name + " is not a table or function of the app.");
        reading_.tables.insert(name);
    }

    // PostgreSQL reads a name after the function's dot as a call or a cast, because the function's
    // result is not a row.
    void function_in_from(const Json& value) {
        const std::string alias = text(member(value, "alias"), "aliasname");
        if (!alias.empty()) results_.insert(alias);
        for (const Json& function : member(value, "functions")) {
            const Json& call = member(member(function, "List"), "items").front();
            if (!alias.empty()) continue;
            if (!call.contains("FuncCall"))
                return refuse("This function in FROM needs an alias: … as name.");
            results_.insert(names(member(call.at("FuncCall"), "funcname")).back());
        }
        members(value);
    }

    void call(const Json& value) {
        const auto written = names(member(value, "funcname"));
        const auto name = unprefixed(written, "pg_catalog");
        const bool taken = name.size() == 1 &&
                           (svc::sql::is_bounded(name[0]) || svc::sql::lists(kOfGrammar, name[0]));
        if (!taken)
            return refuse(svc::sql::dotted(written) +
                          " is not a function that a statement may call.");
        members(value);
    }

    void type(const Json& value) {
        const auto written = names(member(value, "names"));
        const auto name = unprefixed(written, "pg_catalog");
        const bool odd = value.contains("pct_type") || value.contains("setof");
        if (odd || name.size() != 1 || !svc::sql::is_type(name[0]))
            return refuse(svc::sql::dotted(written) +
                          " is not a type that a statement may use. Use types of texts, numbers, "
                          "dates, JSON, ranges or uuid.");
        each("typmods", member(value, "typmods"));
    }

    void column(const Json& value) {
        const Json& fields = member(value, "fields");
        const std::string first = text(member(fields.front(), "String"), "sval");
        if (fields.size() > 2) return refuse("Write a column as column or table.column.");
        if (sees_target_) hold_to_target(first, fields);
        if (fields.size() < 2 || fields.back().contains("A_Star")) return;
        dotted_.emplace_back(first, text(member(fields.back(), "String"), "sval"));
    }

    void hold_to_target(const std::string& first, const Json& fields) {
        const bool star = fields.back().contains("A_Star");
        const bool named = first == reading_.target || first == target_alias_;
        if (fields.size() == 1 && !star) reading_.of_target.insert(first);
        if (fields.size() == 1 && star && selects_ == 0) {
            if (reading_.star_at != 0 || joined_)
                return refuse(
                    "RETURNING must name its columns when the statement uses other tables as "
                    "well.");
            reading_.star_at = at_;
        }
        if (fields.size() < 2 || !named) return;
        if (star) return refuse("Name each column of the written table; table.* is not allowed.");
        reading_.of_target.insert(text(member(fields.back(), "String"), "sval"));
    }

    // Names that a statement gives come after the place if they are used as well.
    void hold_dotted() {
        for (const auto& [first, name] : dotted_) {
            if (results_.contains(first))
                refuse(first +
                       " is the name of a function's result here. Write its values without a dot, "
                       "or give the table another name.");
            if (name.starts_with("pg_") || !given_.contains(name)) reading_.columns.insert(name);
        }
    }

    void param(const Json& value) {
        const Json& number = member(value, "number");
        if (!number.is_number()) return refuse("$0 is not a parameter. Parameters begin with $1.");
        reading_.params = std::max(reading_.params, number.get<std::size_t>());
    }

    void value_function(const Json& value) {
        const std::string which = text(value, "op");
        const bool moment =
            which.find("DATE") != std::string::npos || which.find("TIME") != std::string::npos;
        if (!moment)
            refuse(
                "current_user and similar words are not allowed, because they describe the "
                "database itself.");
    }

    void writing(const std::string& kind, const Json& value) {
        using Kind = Reading::Kind;
        reading_.kind = kind == "InsertStmt"   ? Kind::insert
                        : kind == "UpdateStmt" ? Kind::update
                                               : Kind::remove;
        if (value.contains("withClause"))
            return refuse("A statement that writes must begin with INSERT, UPDATE or DELETE.");
        const Json& target = member(value, "relation");
        if (target.contains("schemaname") || !member(target, "inh").is_boolean())
            return refuse("Write the changed table with its name only, without a schema or ONLY.");
        reading_.target = text(target, "relname");
        reading_.target_at = member(target, "location").is_number()
                                 ? member(target, "location").get<std::size_t>()
                                 : 0;
        const char* set = reading_.kind == Kind::insert ? "cols" : "targetList";
        if (reading_.kind == Kind::insert && !value.contains("cols"))
            return refuse("INSERT must name its columns: insert into " + reading_.target +
                          " (…) …");
        target_alias_ = text(member(target, "alias"), "aliasname");
        joined_ = value.contains("fromClause") || value.contains("usingClause");
        // The source of an insert's rows does not see the table.
        const bool inserts = reading_.kind == Kind::insert;
        sees_target_ = !inserts;
        if (reading_.kind != Kind::remove) written(member(value, set));
        for (const auto& [key, child] : value.items()) {
            if (!child.is_structured() || key == "relation" || key == set) continue;
            sees_target_ = !inserts || key == "returningList";
            each(key, child);
        }
    }

    // The guard compares these names with the entity's columns.
    void written(const Json& columns) {
        for (const Json& item : columns) {
            const Json& column = member(item, "ResTarget");
            reading_.written.push_back(text(column, "name"));
            elements_alone(member(column, "indirection"));
            each("indirection", member(column, "indirection"));
            each("val", member(column, "val"));
        }
    }

    Reading reading_;
    std::optional<Error> error_;
    NameSet given_, results_;
    std::string target_alias_;
    bool sees_target_ = false, joined_ = false;
    unsigned selects_ = 0;  // the number of SELECTs around the node
    std::vector<std::pair<std::string, std::string>> dotted_;
};

}  // namespace

Result<Reading> read_tree(const Json& statement) { return Reader().read(statement); }

}  // namespace svc::data::sql
