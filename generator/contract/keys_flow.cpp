// Queries, functions, workflows, webhooks and topics.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr Key kQueryKeys[] = {
    {"name", string, "its name", kRequired},
    {"description", any, "what it answers"},
    {"mode", any, "read or write"},
    {"params", any, "its parameters"},
    {"allow", any, "who may run it"},
    {"sql", string, "one statement with :name parameters", kRequired},
};

}  // namespace

constinit const Shape kQuery{"query", kQueryKeys};

}  // namespace svc::contract
