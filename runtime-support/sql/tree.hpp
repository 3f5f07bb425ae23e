// Reads the syntax trees that libpg_query prints as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace svc::sql {

// Null if there is none.
const nlohmann::json& member(const nlohmann::json& node, const char* name);
// Empty if there is none.
std::string text(const nlohmann::json& node, const char* name);
// As text(), without the part up to the first '_': PRIMARY of CONSTR_PRIMARY.
std::string value_text(const nlohmann::json& node, const char* name);
// The texts of a list of String nodes.
std::vector<std::string> names(const nlohmann::json& list);
// The name without the schema, if it is this one.
std::vector<std::string> unprefixed(std::vector<std::string> parts, const char* schema);
// "a.b"
std::string dotted(const std::vector<std::string>& names);
// {"FuncCall": {…}}
bool is_node(const nlohmann::json& value);
// The kind of an object in a member of fixed type, where PostgreSQL prints no kind; the member's
// name if it is not known.
std::string kind_of(const std::string& member);

}  // namespace svc::sql
