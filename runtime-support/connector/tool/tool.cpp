#include "connector/tool/tool.hpp"

#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "run/call/http_step.hpp"

namespace svc::connector {
namespace {

constexpr std::size_t kMostName = 128;

std::string texts_of(const json::Value& content) {
    std::string out;
    for (const json::Value& part : content.items)
        if (part.text_of("type") == "text") out += (out.empty() ? "" : "\n") + part.text_of("text");
    return out;
}

}  // namespace

std::optional<Tool> read_tool(const json::Value& in) {
    Tool out;
    out.name = in.text_of("name");
    out.description = in.text_of("description");
    const json::Value* schema = in.find("inputSchema");
    out.hash = base::base64url(base::sha256(schema ? schema->shown() : ""));
    if (out.name.empty() || out.name.size() > kMostName) return std::nullopt;
    if (schema && !read_headers(*schema, out.headers)) return std::nullopt;
    return out;
}

Outcome read_result(const json::Value& result) {
    const json::Value* kind = result.find("resultType");
    if (kind && kind->text != "complete")
        return failed("The tool asks for input, which an app cannot give.");
    const json::Value* content = result.find("content");
    const json::Value* error = result.find("isError");
    if (error && error->text == "true")
        return failed("The tool failed" + run::begin_of(content ? texts_of(*content) : ""));
    const json::Value* structured = result.find("structuredContent");
    Outcome out;
    if (structured && !structured->is(json::Value::Kind::null))
        out.data = structured->shown();
    else
        out.data = content ? content->shown() : "[]";
    out.data = as_json(std::move(out.data), "application/json");
    return out;
}

}  // namespace svc::connector
