// Expands the short form of operations in templates/openapi_*.json.mustache to OpenAPI.
#pragma once

#include <string>
#include <vector>

#include "emit/json_page.hpp"

namespace svc::emit {

// A component for each name under `answers`: {"Invalid": {"status": "400", "codes": {…}}, …}.
Json error_responses(const Json& answers);

// A path item as OpenAPI has it, of one whose operations name parameters, schemas and answers:
// {"parameters": ["limit"], "body": {"schema"} or {"bytes": their type}, "answer": {"status",
// "schema", "description", "headers"?: ["Location"], "etag"?: true, "tables"?: true, "page"?: true,
// "empty"?: true, "created"?, "unchanged"?,
// "redirect"?, "seeOther"?: descriptions, "also"?: another answer}, "errors": ["Invalid"],
// "security"?: "none", "key", "session" (one may be shown), "signed_in", "operator" or "server"}.
// An answer that only redirects has no status of its own.
Json path_item(const Json& brief, const Json& answers);

}  // namespace svc::emit
