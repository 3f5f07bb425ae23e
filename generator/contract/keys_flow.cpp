// Queries, functions, workflows, webhooks and topics.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kParamTypes[] = {
    "string", "text",  "email",   "url",  "phone", "slug",     "integer", "number", "decimal",
    "float",  "money", "boolean", "date", "time",  "datetime", "tags",    "json",   "uuid"};
constexpr std::string_view kQueryModes[] = {"read", "write"};

constexpr Key kParamKeys[] = {
    {"type", string, "its type, one of those of fields", kRequired, kRuns, nullptr, kParamTypes},
    {"required", flag, "must a call send it"},
    {"default", any, "its value in a call that does not send it, a literal; null"},
};

constexpr Key kQueryKeys[] = {
    {"name", string, "its name; folders before it, with /", kRequired},
    {"description", string, "what it answers"},
    {"mode", string, "read, or write: one insert, update or delete", kOptional, kRuns, nullptr,
     kQueryModes},
    {"params", object_map, "its parameters", kOptional, kRuns, &kParam},
    {"allow", string_or_strings, "who may run it: principals, end_user, workflow", kRequired},
    {"sql", string, "one statement with :name parameters", kRequired},
};

}  // namespace

constinit const Shape kParam{"parameter", kParamKeys};
constinit const Shape kQuery{"query", kQueryKeys};

}  // namespace svc::contract
