// Queries, functions, workflows, webhooks and topics.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kParamTypes[] = {
    "string", "text",  "email",   "url",  "phone", "slug",     "integer", "number", "decimal",
    "float",  "money", "boolean", "date", "time",  "datetime", "tags",    "json",   "uuid"};
constexpr std::string_view kQueryModes[] = {"read", "write"};

constexpr Key kParamKeys[] = {
    {"type", string, "type of the parameter: a field type", kRequired, nullptr, kParamTypes},
    {"required", flag, "whether a call must send the parameter"},
    {"default", any, "literal to use when a call does not send the parameter; default null"},
};

constexpr Key kQueryKeys[] = {
    {"name", string, "name of the query; / separates folders", kRequired},
    {"description", string, "what the query answers"},
    {"mode", string, "read, or write: one insert, update or delete", kOptional, nullptr,
     kQueryModes},
    {"params", object_map, "parameters of the query", kOptional, &kParam},
    {"allow", string_or_strings, "who may run the query: principals, end_user, workflow",
     kRequired},
    {"sql", string, "one statement with :name parameters", kRequired},
};

}  // namespace

constinit const Shape kParam{"parameter", kParamKeys};
constinit const Shape kQuery{"query", kQueryKeys};

}  // namespace svc::contract
