#include "sql/tree.hpp"

#include <map>

namespace svc::sql {

using Json = nlohmann::json;

const Json& member(const Json& node, const char* name) {
    static const Json kNone;
    const auto at = node.find(name);
    return at == node.end() ? kNone : *at;
}

std::string text(const Json& node, const char* name) {
    const Json& value = member(node, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string value_text(const Json& node, const char* name) {
    const std::string whole = text(node, name);
    const auto at = whole.find('_');
    return at == std::string::npos ? std::string() : whole.substr(at + 1);
}

std::vector<std::string> names(const Json& list) {
    std::vector<std::string> out;
    for (const Json& item : list) out.push_back(text(member(item, "String"), "sval"));
    return out;
}

std::string dotted(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ".") + name;
    return out;
}

std::vector<std::string> unprefixed(std::vector<std::string> parts, const char* schema) {
    if (parts.size() == 2 && parts[0] == schema) parts.erase(parts.begin());
    return parts;
}

bool is_node(const Json& value) {
    return value.is_object() && value.size() == 1 && value.begin().key()[0] >= 'A' &&
           value.begin().key()[0] <= 'Z';
}

std::string kind_of(const std::string& member) {
    static const std::map<std::string, std::string> kKinds = {
        {"larg", "SelectStmt"},
        {"rarg", "SelectStmt"},
        {"relation", "RangeVar"},
        {"typeName", "TypeName"},
        {"withClause", "WithClause"},
        {"intoClause", "IntoClause"},
        {"over", "WindowDef"},
        {"onConflictClause", "OnConflictClause"},
        {"infer", "InferClause"},
        {"collClause", "CollateClause"},
        {"search_clause", "CTESearchClause"},
        {"cycle_clause", "CTECycleClause"},
        {"alias", "Alias"},
        {"join_using_alias", "Alias"},
        {"ival", "Integer"},
        {"fval", "Float"},
        {"boolval", "Boolean"},
        {"sval", "String"},
        {"bsval", "BitString"},
    };
    const auto at = kKinds.find(member);
    return at == kKinds.end() ? member : at->second;
}

}  // namespace svc::sql
