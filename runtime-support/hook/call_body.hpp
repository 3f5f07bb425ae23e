// Reads a call of a webhook: its body, and the id of its event.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hook/signature.hpp"
#include "identity/result.hpp"

namespace svc::hook {

// The body as JSON; null if there was none. It is JSON, or a form, whose members become texts
// (several of one name: a list). A form with only a JSON member "payload", as GitHub and Slack send
// it, counts as that JSON. Refuses anything else with BAD_REQUEST.
identity::Result<std::string> read_call_body(const http::Head& head, std::string_view body);

// {"body": …, "headers": {…}}: the input of what it starts. Headers by their names in lower case,
// without signatures, cookies and credentials.
std::string input_of(const http::Head& head, std::string_view json);

// The id of the event: the value at the path (event.id), else the id that the scheme defines.
// Nothing: every call is a new event.
std::optional<std::string> event_id(Scheme scheme, const http::Head& head, std::string_view json,
                                    std::string_view path);

}  // namespace svc::hook
