#include "query/ddl/ddl_parts.hpp"

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "sql/allowed.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::dotted;
using sql::member;
using sql::names;
using sql::text;
using sql::unprefixed;
using sql::value_text;
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestName = 48;  // of entities and fields

// The members of each kind of constraint, beside its kind, its name and its place.
const std::map<std::string, std::vector<std::string_view>>& constraint_members() {
    static const std::map<std::string, std::vector<std::string_view>> kMembers = {
        {"NULL", {}},
        {"NOTNULL", {}},
        {"DEFAULT", {"raw_expr"}},
        {"PRIMARY", {"keys"}},
        {"UNIQUE", {"keys", "nulls_not_distinct"}},
        {"CHECK", {"raw_expr", "initially_valid"}},
        {"FOREIGN",
         {"pktable", "fk_attrs", "pk_attrs", "fk_matchtype", "fk_upd_action", "fk_del_action",
          "initially_valid"}},
    };
    return kMembers;
}

bool fits(const std::string& name) {
    return !name.empty() && name.size() <= kLongestName && base::is_lower(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return base::is_lower(c) || base::is_digit(c) || c == '_'; });
}

}  // namespace

void DdlParts::refuse(const std::string& why) {
    if (refused_.empty()) refused_ = why;
}

void DdlParts::only(const Json& node, std::initializer_list<std::string_view> members,
                    const std::string& what) {
    for (const auto& [key, value] : node.items()) {
        const bool listed = std::find(members.begin(), members.end(), key) != members.end();
        if (!listed && key != "location") refuse(what + " may not contain this (" + key + ").");
    }
}

void DdlParts::name(const std::string& name) {
    if (!fits(name)) {
        refuse(
            "The name \"" + name +
            "\" is not valid: use lower-case letters, digits and _, begin with a letter, and write "
            "at most 48 characters.");
    } else if (name.starts_with("svc_") || name.starts_with("pg_")) {
        refuse("The name \"" + name + "\" is reserved.");
    }
}

void DdlParts::object_name(const std::string& text) {
    name(text);
    const auto derived = [&text](const std::string& table) {
        return text.starts_with(table + "_");
    };
    if (std::ranges::any_of(known_.managed, derived))
        refuse("The name \"" + text + "\" is reserved for tables of the contract.");
}

std::string DdlParts::plain_name(const Json& list) {
    const auto parts = unprefixed(names(list), "public");
    if (parts.size() == 1) {
        name(parts[0]);
        return parts[0];
    }
    refuse("Use only tables and types of schema public, by their names.");
    return {};
}

void DdlParts::table(const Json& relation, bool ours) {
    only(relation, {"schemaname", "relname", "inh", "relpersistence"}, "A table");
    const std::string schema = text(relation, "schemaname");
    const std::string called = text(relation, "relname");
    if (!schema.empty() && schema != "public") refuse("Tables must be in schema public.");
    if (text(relation, "relpersistence") != "p")
        refuse("A table that is temporary or unlogged would lose its rows.");
    if (!member(relation, "inh").is_boolean()) refuse("ONLY is not allowed.");
    name(called);
    if (!ours) no_entity(called);
}

void DdlParts::no_entity(const std::string& table) {
    if (known_.managed.contains(table))
        refuse("\"" + table + "\" is an entity's table: change the contract and apply it.");
}

// Its bare name would mean PostgreSQL's type, whatever this reading takes it for.
void DdlParts::no_builtin(const std::string& name) {
    if (sql::is_type(name) || known_.builtin.contains(name))
        refuse("\"" + name + "\" is a type of PostgreSQL. Choose another name.");
}

void DdlParts::type(const Json& node) {
    only(node, {"names", "typmods", "typemod", "arrayBounds"}, "A type");
    const auto parts = names(member(node, "names"));
    const auto builtin = unprefixed(parts, "pg_catalog");
    const auto own = unprefixed(parts, "public");
    const bool known =
        (builtin.size() == 1 && sql::is_type(builtin[0])) || (own.size() == 1 && is_enum(own[0]));
    if (!known)
        refuse("The type " + dotted(parts) +
               " is not allowed: use types for strings, numbers, dates, JSON, ranges, uuid and "
               "enumerations (for an id: uuid default gen_random_uuid()).");
    expression(member(node, "typmods"));
}

void DdlParts::column(const Json& node) {
    only(node, {"colname", "typeName", "is_local", "constraints"}, "A column");
    name(text(node, "colname"));
    type(member(node, "typeName"));
    for (const Json& item : member(node, "constraints")) constraint(member(item, "Constraint"));
}

void DdlParts::constraint(const Json& node) {
    const std::string kind = value_text(node, "contype");
    const auto listed = constraint_members().find(kind);
    if (listed == constraint_members().end())
        return refuse(
            "A column or table may have only NOT NULL, DEFAULT, PRIMARY KEY, UNIQUE, CHECK and "
            "REFERENCES.");
    for (const auto& [key, value] : node.items()) {
        const auto& members = listed->second;
        const bool fine = key == "contype" || key == "conname" || key == "location" ||
                          std::find(members.begin(), members.end(), key) != members.end();
        if (!fine) refuse("A constraint may not have this (" + key + ").");
    }
    if (node.contains("conname")) object_name(text(node, "conname"));
    if (node.contains("pktable")) reference(node);
    expression(member(node, "raw_expr"));
}

// A reference to another column of an entity would block changes of its unique constraint.
void DdlParts::reference(const Json& node) {
    const Json& to = member(node, "pktable");
    table(to, true);
    const auto columns = names(member(node, "pk_attrs"));
    const bool by_id = columns.empty() || (columns.size() == 1 && columns[0] == "id");
    if (!by_id && known_.managed.contains(text(to, "relname")))
        refuse("A reference to an entity must name its id.");
}

}  // namespace svc::query
