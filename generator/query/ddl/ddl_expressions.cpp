// Defaults, checks and indexes: expressions that only compute.
#include <algorithm>
#include <map>

#include "query/ddl/ddl_parts.hpp"
#include "sql/allowed.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::dotted;
using sql::is_node;
using sql::kind_of;
using sql::member;
using sql::names;
using sql::text;
using sql::unprefixed;

using Json = nlohmann::json;

void DdlParts::expression(const Json& value) {
    if (value.is_array()) {
        for (const Json& item : value) expression(item);
    } else if (is_node(value)) {
        node(value.begin().key(), value.begin().value());
    }
}

void DdlParts::children(const Json& value) {
    for (const auto& [key, child] : value.items()) {
        const bool bare = child.is_object() && !is_node(child);
        if (bare && !child.empty()) node(kind_of(key), child);
        if (!bare) expression(child);
    }
}

// Refuses other nodes than these, and other members of them.
bool DdlParts::known(const std::string& kind, const Json& value) {
    static const std::map<std::string, std::vector<std::string_view>> kMembers = {
        {"A_Const", {"ival", "fval", "boolval", "sval", "bsval", "isnull"}},
        {"A_Expr", {"kind", "name", "lexpr", "rexpr"}},
        {"A_ArrayExpr", {"elements"}},
        {"BitString", {"bsval"}},
        {"BoolExpr", {"boolop", "args"}},
        {"Boolean", {"boolval"}},
        {"BooleanTest", {"arg", "booltesttype"}},
        {"CaseExpr", {"arg", "args", "defresult"}},
        {"CaseWhen", {"expr", "result"}},
        {"CoalesceExpr", {"args"}},
        {"ColumnRef", {"fields"}},
        {"Float", {"fval"}},
        {"FuncCall", {"funcname", "args", "funcformat"}},
        {"Integer", {"ival"}},
        {"List", {"items"}},
        {"MinMaxExpr", {"op", "args"}},
        {"NullTest", {"arg", "nulltesttype"}},
        {"SQLValueFunction", {"op", "typmod"}},
        {"String", {"sval"}},
        {"TypeCast", {"arg", "typeName"}},
    };
    const auto listed = kMembers.find(kind);
    if (listed == kMembers.end()) {
        refuse("An expression may not contain this (" + kind + ").");
        return false;
    }
    for (const auto& [key, child] : value.items()) {
        const auto& members = listed->second;
        const bool fine = std::find(members.begin(), members.end(), key) != members.end();
        if (fine || key == "location") continue;
        refuse("An expression may not contain this (" + kind + ", " + key + ").");
        return false;
    }
    return true;
}

void DdlParts::node(const std::string& kind, const Json& value) {
    if (kind == "TypeName") return type(value);
    if (!known(kind, value)) return;
    if (kind == "FuncCall") call(value);
    if (kind == "A_Expr") symbol(names(member(value, "name")));
    if (kind == "ColumnRef" &&
        (member(value, "fields").size() != 1 ||
         text(member(value, "fields")[0].value("String", Json()), "sval").empty()))
        refuse("Write a column as its name only.");
    const std::string which = kind == "SQLValueFunction" ? text(value, "op") : "DATE";
    if (which.find("DATE") == std::string::npos && which.find("TIME") == std::string::npos)
        refuse("current_user and similar functions name roles of the database, not the caller.");
    children(value);
}

void DdlParts::symbol(const std::vector<std::string>& name) {
    if (name.size() != 1) return refuse("Write operators without a schema.");
    if (!sql::is_operator_node(name[0])) refuse("The operator " + name[0] + " is not allowed.");
}

void DdlParts::call(const Json& value) {
    const auto parts = unprefixed(names(member(value, "funcname")), "pg_catalog");
    const bool computes =
        parts.size() == 1 && (sql::is_computing(parts[0]) || parts[0] == "gen_random_uuid");
    if (!computes)
        refuse("The function " + dotted(parts) +
               "() is not allowed. Expressions may call only functions that compute from their "
               "arguments, now() and gen_random_uuid().");
}

}  // namespace svc::query
