// Statements of an entity, their parameters and what fills these in.
#include <map>
#include <set>

#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::ServedEntity;
using plan::Statement;

// svc::Type enumerator of a parameter's PostgreSQL type.
std::string parameter_type(const std::string& sql) {
    static const std::map<std::string, std::string> kTypes = {
        {"text", "text"},       {"unknown", "key"},
        {"bigint", "integer"},  {"numeric", "decimal"},
        {"boolean", "boolean"}, {"date", "date"},
        {"time", "time"},       {"timestamptz", "timestamp"},
        {"text[]", "tags"},     {"jsonb", "json"},
        {"uuid", "uuid"},       {"double precision", "floating"}};
    return "svc::Type::" + kTypes.at(sql);
}

struct NamedStatement {
    const char* name;
    const Statement* statement;
    const char* types;  // the array of its parameter types
};

std::vector<NamedStatement> statements(const ServedEntity& entity) {
    std::vector<NamedStatement> out = {
        {"get", &entity.get, "id_types"},
        {"create", &entity.insert_returning, "create_types"},
        {"update", &entity.update_row, "update_types"},
        {"remove", &entity.delete_row, "remove_types"},
    };
    if (!entity.restore.name.empty()) {
        out.push_back({"restore", &entity.restore, "restore_types"});
    }
    // For an external entity the statement returns the key, so it differs.
    if (entity.external) out.push_back({"insert", &entity.insert, "create_types"});
    if (!entity.transition.name.empty()) {
        out.push_back({"transition", &entity.transition, "transition_types"});
    }
    if (entity.search) out.push_back({"find", &entity.search->find, "find_types"});
    return out;
}

std::string type_list(const Statement& statement) {
    std::string list;
    for (const std::string& type : statement.types)
        list += (list.empty() ? "" : ", ") + parameter_type(type);
    return list;
}

// A list that svc/entity.hpp has, or the name of an array in the generated file.
std::string types_of(const NamedStatement& each) {
    static const std::map<std::string, std::string> kKnown = {
        {"svc::Type::uuid", "svc::kId"},
        {"svc::Type::uuid, svc::Type::tags", "svc::kIdAndVersions"},
        {"svc::Type::uuid, svc::Type::text, svc::Type::tags", "svc::kTransition"},
        {"svc::Type::text, svc::Type::tags, svc::Type::integer", "svc::kSearch"}};
    std::string name = each.types;
    if (name == "create_types" || name == "update_types") return name;
    const auto known = kKnown.find(type_list(*each.statement));
    return known == kKnown.end() ? name : known->second;
}

// Arrays of the file's own: keys of external rows are of other types.
Data types_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    std::set<std::string> done = {"create_types", "update_types"};
    for (const NamedStatement& each : statements(entity)) {
        if (types_of(each) != each.types || !done.insert(each.types).second) continue;
        Data one;
        one["name"] = std::string(each.types);
        one["list"] = type_list(*each.statement);
        out.push_back(one);
    }
    return out;
}

Data binds_data(const char* name, const std::vector<plan::Bind>& binds) {
    Data each{Data::type::list};
    for (const plan::Bind& bind : binds) {
        // A server names owners in the body: their columns are read like any other.
        const bool of_column = bind.source != "id";
        Data one;
        one["text"] =
            "svc::Bind::" + bind.source + (of_column ? ", " + std::to_string(bind.column) : "");
        each.push_back(one);
    }
    Data out;
    out["name"] = std::string(name);
    out["each"] = std::move(each);
    return out;
}

Data statements_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const NamedStatement& each : statements(entity)) {
        Data one;
        one["name"] = std::string(each.name);
        one["name_literal"] = cpp_literal(each.statement->name);
        one["sql"] = sql_literal(each.statement->sql);
        one["types"] = types_of(each);
        if (!entity.external && std::string_view(each.name) == "create")
            one["insert_literal"] = cpp_literal(entity.insert.name);
        out.push_back(one);
    }
    return out;
}

}  // namespace

void add_statements(const ServedEntity& entity, Data& out) {
    Data binds{Data::type::list};
    binds.push_back(binds_data("create", entity.create_binds));
    binds.push_back(binds_data("update", entity.update_binds));
    Data types = types_data(entity);
    out["has_types"] = !types.is_empty_list();
    out["types"] = std::move(types);
    out["binds"] = std::move(binds);
    out["statements"] = statements_data(entity);
    out["list_sql"] = sql_literal(entity.list_sql);
}

}  // namespace svc::emit
