// Queries, functions, workflows, webhooks and topics.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kParamTypes[] = {
    "string", "text",  "email",   "url",  "phone", "slug",     "integer", "number", "decimal",
    "float",  "money", "boolean", "date", "time",  "datetime", "tags",    "json",   "uuid"};

constexpr Key kParamKeys[] = {
    {"type", string, "its type, one of those of fields", kRequired, kRuns, nullptr, kParamTypes},
    {"required", flag, "must a call send it"},
    {"default", any, "its value in a call that does not send it, a literal; null"},
};

constexpr Key kQueryKeys[] = {
    {"name", string, "its name", kRequired},
    {"description", any, "what it answers"},
    {"mode", any, "read or write"},
    {"params", any, "its parameters"},
    {"allow", any, "who may run it"},
    {"sql", string, "one statement with :name parameters", kRequired},
};

}  // namespace

constinit const Shape kParam{"parameter", kParamKeys};
constinit const Shape kQuery{"query", kQueryKeys};

}  // namespace svc::contract
