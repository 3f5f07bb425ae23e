// Steps of functions and workflows.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

constexpr Key kCreateKeys[] = {
    {"entity", string, "entity that gets a row", kRequired},
    {"data", value_map, "the row's fields", kRequired},
};
constexpr Shape kCreate{"create step", kCreateKeys};

constexpr Key kUpdateKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "the row's id", kRequired},
    {"data", value_map, "the fields that change", kRequired},
};
constexpr Shape kUpdate{"update step", kUpdateKeys};

constexpr Key kDeleteKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "the row's id", kRequired},
};
constexpr Shape kDelete{"delete step", kDeleteKeys};

constexpr Key kTransitionStepKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "the row's id", kRequired},
    {"transition", string, "name of the move", kRequired},
};
constexpr Shape kTransitionStep{"transition step", kTransitionStepKeys};

constexpr Key kQueryStepKeys[] = {
    {"name", string, "the query's name", kRequired},
    {"params", value_map, "its parameters"},
};
constexpr Shape kQueryStep{"query step", kQueryStepKeys};

constexpr Key kSwitchKeys[] = {
    {"on", expression, "what decides", kRequired},
    {"cases", objects_map, "its values and their steps", kRequired, kRuns, &kStep},
    {"else", objects, "steps for any other value", kOptional, kRuns, &kStep},
};
constexpr Shape kSwitch{"switch step", kSwitchKeys};

constexpr Key kWaitForKeys[] = {
    {"topic", template_, "topic that is waited at", kRequired},
    {"if", expression, "condition on the message, as payload", kOptional},
    {"timeout", duration, "how long is waited at most", kRequired},
};
constexpr Shape kWaitFor{"waitFor step", kWaitForKeys};

constexpr Key kHttpKeys[] = {
    {"method", string, "HTTP method", kRequired, kRuns, nullptr, kMethods},
    {"url", template_, "http or https address", kRequired},
    {"headers", template_map, "headers; secret:NAME is the value of a secret"},
    {"body", value, "what is sent: an object or a list as JSON, a text as it is"},
};
constexpr Shape kHttp{"http step", kHttpKeys};

constexpr Key kConnectorStepKeys[] = {
    {"integration", string, "integration of connectors", kRequired},
    {"action", string, "one of its actions", kRequired},
    {"props", value_map, "the action's properties"},
};
constexpr Shape kConnectorStep{"connector step", kConnectorStepKeys};

constexpr Key kMcpStepKeys[] = {
    {"tool", string, "mcp_<server>_<tool>", kRequired},
    {"props", value_map, "the tool's arguments"},
};
constexpr Shape kMcpStep{"mcp step", kMcpStepKeys};

constexpr Key kAiStepKeys[] = {
    {"prompt", template_, "what the model is asked", kRequired},
    {"system", template_, "what it is told first"},
    {"schema", any_map, "JSON Schema of the object that it answers with"},
};
constexpr Shape kAiStep{"ai step", kAiStepKeys};

constexpr Key kEmbedKeys[] = {{"texts", templates, "texts that become vectors", kRequired}};
constexpr Shape kEmbed{"embed step", kEmbedKeys};

constexpr Key kEmailKeys[] = {
    {"to", templates, "addresses", kRequired},
    {"subject", template_, "subject", kRequired},
    {"text", template_, "the mail itself", kRequired},
};
constexpr Shape kEmail{"email step", kEmailKeys};

constexpr Key kNotifyKeys[] = {
    {"to", templates, "a user's id, a persona, or several of them", kRequired},
    {"title", template_, "title", kRequired},
    {"body", template_, "what is said"},
    {"link", template_, "where it leads"},
};
constexpr Shape kNotify{"notify step", kNotifyKeys};

constexpr Key kPublishKeys[] = {
    {"topic", template_, "topic that gets the message", kRequired},
    {"payload", value, "the message"},
};
constexpr Shape kPublish{"publish step", kPublishKeys};

constexpr std::string_view kCalled[] = {"function", "workflow"};
constexpr Key kCallKeys[] = {
    {"function", string, "function that is called"},
    {"workflow", string, "workflow that is started"},
    {"params", value_map, "its parameters"},
};
constexpr Shape kCall{"call step", kCallKeys, kCalled};

constexpr Key kForKeys[] = {
    {"entity", string, "entity whose rows are taken", kRequired},
    {"where", value_map, "columns and the values that they must have"},
    {"limit", count, "how many rows at most"},
};
constexpr Shape kFor{"for block", kForKeys};

constexpr Key kRetryKeys[] = {
    {"max", count, "attempts in all, 1 to 100; 5"},
    {"base", duration, "wait before the second attempt; 2s"},
    {"factor", number, "what each wait is multiplied by, 1 to 10; 2"},
    {"cap", duration, "longest wait; 10m"},
};

constexpr std::string_view kWithFor[] = {"for"};
constexpr std::string_view kWithAs[] = {"as"};
constexpr std::string_view kActions[] = {"create",    "update",  "delete", "transition", "query",
                                         "set",       "switch",  "sleep",  "waitFor",    "http",
                                         "connector", "mcp",     "ai",     "embed",      "email",
                                         "notify",    "publish", "call",   "return",     "fail"};

constexpr Key kStepKeys[] = {
    {"id", identifier, "its name: what it gives is steps.<id>", kRequired},
    {"if", expression, "it runs only where this holds"},
    {"for",
     expression_or_object,
     "it runs once for each element of a list, or row of an entity",
     kOptional,
     kRuns,
     &kFor,
     {},
     kWithAs},
    {"as", identifier, "name of the element at hand", kOptional, kRuns, nullptr, {}, kWithFor},
    {"retry", object, "how often it is tried again", kOptional, kRuns, &kRetry},
    {"timeout", duration, "how long an attempt may take"},
    {"idempotency", template_, "key under which it takes effect once"},
    {"runAs", string, "system, actor or a persona; as its function or workflow does"},
    {"create", object, "makes a row", kOptional, kRuns, &kCreate},
    {"update", object, "changes a row", kOptional, kRuns, &kUpdate},
    {"delete", object, "deletes a row", kOptional, kRuns, &kDelete},
    {"transition", object, "moves a row along its lifecycle", kOptional, kRuns, &kTransitionStep},
    {"query", object, "runs a named query", kOptional, kRuns, &kQueryStep},
    {"set", value_map, "gives values names"},
    {"switch", object, "one of several lists of steps", kOptional, kRuns, &kSwitch},
    {"sleep", duration, "waits"},
    {"waitFor", object, "waits for a message", kOptional, kRuns, &kWaitFor},
    {"http", object, "calls an address", kOptional, kRuns, &kHttp},
    {"connector", object, "calls an integration", kOptional, kRuns, &kConnectorStep},
    {"mcp", object, "calls a tool of a tool server", kOptional, kRuns, &kMcpStep},
    {"ai", object, "asks a model", kOptional, kRuns, &kAiStep},
    {"embed", object, "makes vectors of texts", kOptional, kRuns, &kEmbed},
    {"email", object, "sends a mail", kOptional, kRuns, &kEmail},
    {"notify", object, "tells users something", kOptional, kRuns, &kNotify},
    {"publish", object, "sends a message to a topic", kOptional, kRuns, &kPublish},
    {"call", object, "calls a function or starts a workflow", kOptional, kRuns, &kCall},
    {"return", value, "ends here, with this result"},
    {"fail", template_, "ends here, with this message"},
};

}  // namespace

constinit const Shape kRetry{"retry block", kRetryKeys};
constinit const Shape kStep{"step", kStepKeys, kActions};

}  // namespace svc::contract
