// Checks the JSON Schema of an action's properties, as far as that is possible without a full
// validator.
#pragma once

#include <string>
#include <vector>

#include "contract/value.hpp"
#include "diag/finding.hpp"
#include "model/service/services.hpp"

namespace svc::model {

// Finding BAD_SCHEMA for a keyword with a malformed value, at any depth, and for a root that is not
// a schema of an object. Warning SCHEMA_IGNORED for a keyword that svc does not apply.
void check_json_schema(const contract::Value& schema, diag::Findings& findings);

// Checks literal properties against the schema of an action as JSON text (empty: none): enum,
// const, limits, and lists and objects at any depth; finding BAD_VALUE. Texts with placeholders may
// have any value. Mistakes in the types of declared properties (declared_props) are not reported
// again.
void check_literals(const contract::Value& props, const std::string& schema,
                    diag::Findings& findings);

// The properties that a sound schema declares at its root.
std::vector<ActionProp> declared_props(const contract::Value& schema);
bool is_closed(const contract::Value& schema);

}  // namespace svc::model
