// A tool of a tool server as a listing has it, and what a call of it gave. Sources: the
// specifications of the Model Context Protocol, "Tools".
#pragma once

#include <optional>
#include <string>

#include "connector/outcome.hpp"
#include "connector/tool/tool_headers.hpp"
#include "json/value.hpp"

namespace svc::connector {

struct Tool {
    std::string name, description;
    std::string hash;  // of its schema
    // Arguments that go into headers as well: their places below `properties`, and the headers'
    // names.
    ToolHeaders headers;
    bool changed = false;  // since the apply, on a server that is pinned
};

// Reads one tool of a server's listing; none if the tool cannot be called.
std::optional<Tool> read_tool(const json::Value& in);

// Reads the result of a call: the structured content if there is some, otherwise the parts of the
// answer.
Outcome read_result(const json::Value& result);

}  // namespace svc::connector
