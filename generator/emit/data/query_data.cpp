#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::Query;

std::string truth(bool value) { return value ? "true" : "false"; }

Data param_data(const plan::QueryParam& param, std::size_t index) {
    Data out;
    out["name_literal"] = cpp_literal(param.name);
    out["type"] = std::string(base::word(param.type));
    out["options"] = std::string(param.required ? ", .required = true" : "");
    out["index"] = std::to_string(index);
    return out;
}

Data column_data(const plan::QueryColumn& column, std::size_t index) {
    Data out;
    out["writer"] = std::string(base::word(column.writer));
    out["key"] = (index == 0 ? "{\"" : ",\"") + column.name + "\":";
    out["index"] = std::to_string(index);
    return out;
}

void put_who(const Query& query, Data& out) {
    std::string words, list;
    for (const std::string& name : query.who) {
        words += (words.empty() ? "" : ", ") + name;
        list += (list.empty() ? "" : ", ") + cpp_literal(name);
    }
    out["who"] = words.empty() ? std::string("nobody") : words;
    out["who_list"] = list;
    out["has_who"] = !query.who.empty();
    out["who_span"] = std::string(query.who.empty() ? "{}" : "who");
}

void put_params(const Query& query, Data& out) {
    Data params{Data::type::list};
    Data fallbacks{Data::type::list};
    std::string types, kinds;
    bool has_fallbacks = false;
    for (std::size_t i = 0; i < query.params.size(); ++i) {
        const plan::QueryParam& param = query.params[i];
        params.push_back(param_data(param, i));
        types += (types.empty() ? "svc::Type::" : ", svc::Type::");
        types += base::word(param.type);
        kinds += (kinds.empty() ? "" : ", ") + cpp_literal(base::word(param.declared));
        if (!param.fallback) continue;
        Data one;
        one["index"] = std::to_string(i);
        one["text"] = cpp_literal(*param.fallback);
        fallbacks.push_back(one);
        has_fallbacks = true;
    }
    const bool has_params = !query.params.empty();
    out["params"] = std::move(params);
    out["types"] = types;
    out["kinds"] = kinds;
    out["has_params"] = has_params;
    out["types_span"] = std::string(has_params ? "types" : "{}");
    out["fallbacks"] = std::move(fallbacks);
    out["has_fallbacks"] = has_fallbacks;
}

void put_columns(const Query& query, Data& out) {
    Data columns{Data::type::list};
    std::string fields;
    for (std::size_t i = 0; i < query.columns.size(); ++i) {
        const plan::QueryColumn& column = query.columns[i];
        columns.push_back(column_data(column, i));
        fields += std::string(i == 0 ? "R\"json([" : "\nR\"json(") + R"({"name":")" + column.name +
                  R"(","type":")" + column.oid +
                  (i + 1 == query.columns.size() ? "\"}])json\"" : "\"},)json\"");
    }
    out["columns"] = std::move(columns);
    out["has_columns"] = !query.columns.empty();
    out["fields_json"] = fields.empty() ? std::string("\"[]\"") : fields;  // one a line
}

}  // namespace

std::string query_namespace(const Plan& plan, const Query& query) {
    std::string out = "app::" + plan.namespace_name + "::queries";
    for (const std::string& folder : query.folders) out += "::" + folder;
    return out;
}

Data query_data(const Plan& plan, const Query& query) {
    Data out;
    out["source"] = query.source;
    out["namespace"] = query_namespace(plan, query);
    out["name"] = query.name;
    out["file"] = query.name.substr(query.name.rfind('/') + 1);
    out["value"] = query.cpp_value;
    out["name_literal"] = cpp_literal(query.name);
    if (!query.description.empty()) {
        Data description;
        description["text"] = cpp_literal(query.description);
        out["description"] = std::move(description);
    }
    out["writes"] = truth(query.writes);
    out["allow"] = principals(query.allow, plan.principal_names);
    out["workflow"] = truth(query.workflow);
    out["statement"] = cpp_literal(query.statement.name);
    out["sql"] = sql_literal(query.statement.sql);
    if (!query.elevated.name.empty()) {
        Data elevated;
        elevated["name"] = cpp_literal(query.elevated.name);
        elevated["text"] = sql_literal(query.elevated.sql);
        out["elevated"] = std::move(elevated);
    }
    put_who(query, out);
    put_params(query, out);
    put_columns(query, out);
    return out;
}

}  // namespace svc::emit
