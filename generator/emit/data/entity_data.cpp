#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

using plan::kEveryone;

// svc::kNobody, svc::kImmutable or {to::clerk, svc::kNobody}
std::string writers(const Plan& plan, const ServedColumn& column) {
    const auto who = [&](std::uint64_t bits) { return principals(bits, plan.principal_names); };
    if (column.creators == column.updaters) return who(column.creators);
    if (column.creators == kEveryone && column.updaters == 0) return "svc::kImmutable";
    return "{" + who(column.creators) + ", " + who(column.updaters) + "}";
}

// The options that differ from "everyone may", as designated initialisers in the order of
// svc::Column.
std::string column_options(const Plan& plan, const ServedColumn& column) {
    std::string out;
    if (column.readers != kEveryone)
        out += ", .readers = " + principals(column.readers, plan.principal_names);
    if ((column.creators & column.updaters) != kEveryone)
        out += ", .writers = " + writers(plan, column);
    if (column.required) out += ", .required = true";
    if (column.has_default) out += ", .has_default = true";
    if (column.max_length != 0) out += ", .max_length = " + std::to_string(column.max_length);
    return out;
}

Data column_data(const Plan& plan, const ServedColumn& column, std::size_t index) {
    Data out;
    out["name_literal"] = cpp_literal(column.name);
    out["type"] = std::string(base::word(column.type));
    out["options"] = column_options(plan, column);
    out["index"] = std::to_string(index);
    out["writer"] = std::string(base::word(column.writer));
    out["key"] = (index == 0 ? "{\"" : ",\"") + column.name + "\":";
    out["restricted"] = column.readers != kEveryone;
    return out;
}

// Columns of each unique key, by index: {1, 2}, {4}
std::string keys_list(const ServedEntity& entity) {
    std::string out;
    for (const std::vector<std::size_t>& key : entity.keys) {
        std::string columns;
        for (const std::size_t column : key)
            columns += (columns.empty() ? "" : ", ") + std::to_string(column);
        out += (out.empty() ? "{" : ", {") + columns + "}";
    }
    return out;
}

Data constraints_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedConstraint& constraint : entity.constraints) {
        Data one;
        one["name"] = cpp_literal(constraint.name);
        one["field"] = cpp_literal(constraint.field);
        if (!constraint.reason.empty()) one["reason"] = ", " + cpp_literal(constraint.reason);
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

void add_names(const Plan& plan, const ServedEntity& entity, Data& out) {
    out["app"] = plan.namespace_name;
    out["source"] = entity.source;
    out["table"] = entity.name;
    out["file"] = entity.name;
    out["value"] = entity.cpp_value;
    out["table_literal"] = cpp_literal(entity.name);
    out["title_literal"] = cpp_literal(entity.title);
}

void add_columns(const Plan& plan, const ServedEntity& entity, Data& out) {
    Data columns{Data::type::list};
    bool restricted = false;
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        columns.push_back(column_data(plan, entity.columns[i], i));
        restricted |= entity.columns[i].readers != kEveryone;
    }
    out["columns"] = std::move(columns);
    out["restricted"] = restricted;
    std::string files;
    for (const std::size_t column : entity.files)
        files += (files.empty() ? "" : ", ") + std::to_string(column);
    if (!files.empty()) out["files"] = files;
}

void add_access(const Plan& plan, const ServedEntity& entity, Data& out) {
    const auto who = [&](std::uint64_t bits) { return principals(bits, plan.principal_names); };
    out["read"] = who(entity.read);
    out["create"] = who(entity.create);
    out["update"] = who(entity.update);
    out["remove"] = who(entity.remove);
    out["denials"] = denials_data(plan, entity);
}

}  // namespace

Data entity_data(const Plan& plan, const ServedEntity& entity) {
    Data out;
    add_names(plan, entity, out);
    add_columns(plan, entity, out);
    add_access(plan, entity, out);
    add_read_decision(plan, entity.read_decision, out);
    add_statements(entity, out);
    add_links(plan, entity, out);
    out["constraints"] = constraints_data(entity);
    out["has_constraints"] = !entity.constraints.empty();
    if (!entity.keys.empty()) out["keys"] = keys_list(entity);
    if (entity.search) out["search"] = search_data(*entity.search);
    if (!entity.lifecycle_field.empty()) out["lifecycle"] = lifecycle_data(plan, entity);
    if (entity.stamp != plan::Stamp::none) out["stamp"] = std::string(base::word(entity.stamp));
    out["external"] = entity.external;
    out["soft_delete"] = !entity.restore.name.empty();
    out["audit"] = entity.audit;
    out["newest_first"] = entity.newest_first;
    return out;
}

}  // namespace svc::emit
