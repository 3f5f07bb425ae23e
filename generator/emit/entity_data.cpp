#include <map>
#include <set>

#include "emit/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;
using plan::Statement;

using plan::kEveryone;

// What differs from "everyone may", as designated initialisers in the order of svc::Column.
std::string column_options(const Plan& plan, const ServedColumn& column) {
    std::string out;
    const auto set = [&](const char* name, std::uint64_t bits) {
        if (bits == kEveryone) return;
        out += std::string(", .") + name + " = " + principals(bits, plan.principal_names);
    };
    set("readers", column.readers);
    set("creators", column.creators);
    set("updaters", column.updaters);
    if (column.required) out += ", .required = true";
    if (column.max_length != 0) out += ", .max_length = " + std::to_string(column.max_length);
    return out;
}

Data column_data(const Plan& plan, const ServedColumn& column, std::size_t index) {
    Data out;
    out["name_literal"] = cpp_literal(column.name);
    out["member"] = column.member;
    out["type"] = column.type;
    out["cpp_type"] = column.cpp_type;
    out["options"] = column_options(plan, column);
    out["index"] = std::to_string(index);
    out["writer"] = column.writer;
    out["key"] = (index == 0 ? "{\"" : ",\"") + column.name + "\":";
    out["restricted"] = column.readers != kEveryone;
    return out;
}

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
        {"first", &entity.first, "first_types"},
        {"create", &entity.insert_returning, "create_types"},
        {"insert", &entity.insert, "create_types"},
        {"update", &entity.update_row, "update_types"},
        {"remove", &entity.delete_row, "remove_types"},
    };
    if (!entity.transition.name.empty()) {
        out.push_back({"transition", &entity.transition, "transition_types"});
    }
    if (entity.search) out.push_back({"find", &entity.search->find, "find_types"});
    return out;
}

Data types_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    std::set<std::string> done;
    for (const NamedStatement& each : statements(entity)) {
        if (!done.insert(each.types).second) continue;
        std::string list;
        for (const std::string& type : each.statement->types) {
            list += (list.empty() ? "" : ", ") + parameter_type(type);
        }
        const std::string name = each.types;
        Data one;
        one["name"] = name.substr(0, name.size() - std::string("_types").size());
        one["list"] = list;
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

// Columns of each unique key, by index.
Data keys_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (std::size_t i = 0; i < entity.keys.size(); ++i) {
        std::string columns;
        for (const std::size_t column : entity.keys[i]) {
            columns += (columns.empty() ? "" : ", ") + std::to_string(column);
        }
        Data one;
        one["index"] = std::to_string(i);
        one["columns"] = columns;
        out.push_back(one);
    }
    return out;
}

Data statements_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const NamedStatement& each : statements(entity)) {
        Data one;
        one["name"] = std::string(each.name);
        one["name_literal"] = cpp_literal(each.statement->name);
        one["sql"] = sql_literal(each.statement->sql);
        one["types"] = std::string(each.types);
        out.push_back(one);
    }
    return out;
}

Data constraints_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedConstraint& constraint : entity.constraints) {
        Data one;
        one["name"] = cpp_literal(constraint.name);
        one["field"] = cpp_literal(constraint.field);
        one["message"] = cpp_literal(constraint.message);
        out.push_back(one);
    }
    return out;
}

Data lifecycle_data(const Plan& plan, const ServedEntity& entity) {
    Data transitions{Data::type::list};
    for (const plan::ServedTransition& transition : entity.transitions) {
        std::string from;
        for (const std::string& state : transition.from) {
            from += (from.empty() ? "" : ", ") + cpp_literal(state);
        }
        Data one;
        one["name"] = transition.name;
        one["name_literal"] = cpp_literal(transition.name);
        one["from"] = from;
        one["to"] = cpp_literal(transition.to);
        one["by"] = principals(transition.by, plan.principal_names);
        transitions.push_back(one);
    }
    Data out;
    out["transitions"] = std::move(transitions);
    out["field"] = cpp_literal(entity.lifecycle_field);
    return out;
}

Data search_data(const plan::ServedSearch& search) {
    std::string fields;
    for (const auto& [column, weight_class] : search.fields) {
        fields +=
            (fields.empty() ? "{" : ", {") + std::to_string(column) + ", '" + weight_class + "'}";
    }
    Data out;
    out["fields"] = fields;
    out["config"] = cpp_literal(search.config);
    out["max_length"] = std::to_string(search.max_length);
    return out;
}

// if (viewer.is(to::clerk) && row.boolean(field::active)) return svc::Sight::yes;
std::string sight_line(const Plan& plan, const plan::SightLine& line) {
    const std::string who = line.who == kEveryone
                                ? ""
                                : "viewer.is(" + principals(line.who, plan.principal_names) + ")";
    const bool both = !who.empty() && !line.condition.empty();
    const std::string test = who + (both ? " && " : "") + line.condition;
    const std::string answer = "return svc::Sight::" + line.sight + ";";
    return test.empty() ? answer : "if (" + test + ") " + answer;
}

Data sight_data(const Plan& plan, const plan::Sight& sight) {
    Data lines{Data::type::list};
    bool row = false;
    bool viewer = false;
    for (const plan::SightLine& each : sight.lines) {
        const std::string text = sight_line(plan, each);
        row |= text.find("row.") != std::string::npos;
        viewer |= text.find("viewer.") != std::string::npos;
        Data one;
        one["text"] = text;
        lines.push_back(one);
    }
    std::string columns;
    for (const auto& [member, index] : sight.columns) {
        columns += (columns.empty() ? "" : ", ") + member + " = " + std::to_string(index);
    }
    Data out;
    out["lines"] = std::move(lines);
    out["row"] = std::string(row ? " row" : "");
    out["viewer"] = std::string(viewer ? " viewer" : "");
    out["columns"] = columns;
    out["names_columns"] = !columns.empty();
    return out;
}

std::string fields_json(const ServedEntity& entity) {
    std::string out = "[";
    for (const ServedColumn& column : entity.columns) {
        out += (out.size() > 1 ? ",{\"name\":\"" : "{\"name\":\"") + column.name + R"(","type":")" +
               column.oid + "\"}";
    }
    return "R\"json(" + out + "])json\"";
}

// Few entities deny a whole operation to anybody: the others say nothing of it.
Data denials_data(const Plan& plan, const ServedEntity& entity) {
    Data out{Data::type::list};
    const auto add = [&](const char* operation, std::uint64_t bits) {
        if (bits == 0) return;
        Data one;
        one["operation"] = std::string(operation);
        one["who"] = principals(bits, plan.principal_names);
        out.push_back(one);
    };
    add("read", entity.no_read);
    add("create", entity.no_create);
    add("update", entity.no_update);
    add("remove", entity.no_remove);
    return out;
}

}  // namespace

Data entity_data(const Plan& plan, const ServedEntity& entity) {
    Data out;
    Data columns{Data::type::list};
    bool restricted = false;
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        columns.push_back(column_data(plan, entity.columns[i], i));
        restricted |= entity.columns[i].readers != kEveryone;
    }
    const auto who = [&](std::uint64_t bits) { return principals(bits, plan.principal_names); };
    const bool has_lifecycle = !entity.lifecycle_field.empty();
    Data binds{Data::type::list};
    binds.push_back(binds_data("create", entity.create_binds));
    binds.push_back(binds_data("update", entity.update_binds));
    out["app"] = plan.namespace_name;
    out["source"] = entity.source;
    out["table"] = entity.name;
    out["file"] = entity.name;
    out["struct"] = entity.cpp_name;
    out["value"] = entity.cpp_value;
    out["table_literal"] = cpp_literal(entity.name);
    out["title_literal"] = cpp_literal(entity.title);
    out["columns"] = std::move(columns);
    out["restricted"] = restricted;
    out["types"] = types_data(entity);
    out["binds"] = std::move(binds);
    out["statements"] = statements_data(entity);
    out["list_sql"] = sql_literal(entity.list_sql);
    out["constraints"] = constraints_data(entity);
    out["keys"] = keys_data(entity);
    out["has_keys"] = !entity.keys.empty();
    out["keys_span"] = std::string(entity.keys.empty() ? "{}" : "keys");
    out["has_constraints"] = !entity.constraints.empty();
    if (entity.search) out["search"] = search_data(*entity.search);
    add_links(entity, out);
    if (has_lifecycle) out["lifecycle"] = lifecycle_data(plan, entity);
    out["lifecycle_pointer"] = std::string(has_lifecycle ? "&lifecycle" : "nullptr");
    out["constraints_span"] = std::string(entity.constraints.empty() ? "{}" : "constraints");
    out["fields_json"] = fields_json(entity);
    out["sight"] = sight_data(plan, entity.sight);
    out["stamp"] = entity.stamp;
    out["external"] = entity.external;
    out["read"] = who(entity.read);
    out["create"] = who(entity.create);
    out["update"] = who(entity.update);
    out["remove"] = who(entity.remove);
    out["denials"] = denials_data(plan, entity);
    return out;
}

}  // namespace svc::emit
