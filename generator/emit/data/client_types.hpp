// Converts types of the contract to TypeScript types, for the typed client.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"

namespace svc::emit::typescript {

// The type of a value; for a list of values the union of them.
std::string type_of(const plan::Facts& facts, bool nullable);
// The family of types.ts that the value's type is in: "number", "text", "id".
std::string_view family_of(const plan::Facts& facts);
// The type of what a step or a function gives.
std::string script_type(const plan::Plan& plan, const model::FlowType& type);

// "draft" | "placed". A JSON string is a literal of TypeScript too.
std::string one_of(const std::vector<std::string>& values);
// "title" as it stands, "unit price" in quotes.
std::string key_of(const std::string& name);
// A type of these members, a line each: "draft: boolean;".
std::string braced(const std::vector<std::string>& members, std::size_t indent);

}  // namespace svc::emit::typescript
