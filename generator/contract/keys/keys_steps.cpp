// Steps of functions and workflows.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

constexpr Key kCreateKeys[] = {
    {"entity", string, "entity of the new row", kRequired},
    {"data", value_map, "values of its fields", kRequired},
};
constexpr Shape kCreate{"create step", kCreateKeys};

constexpr Key kUpdateKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "id of the row", kRequired},
    {"data", value_map, "new values of fields", kRequired},
};
constexpr Shape kUpdate{"update step", kUpdateKeys};

constexpr Key kDeleteKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "id of the row", kRequired},
};
constexpr Shape kDelete{"delete step", kDeleteKeys};

constexpr Key kTransitionStepKeys[] = {
    {"entity", string, "entity of the row", kRequired},
    {"id", template_, "id of the row", kRequired},
    {"transition", string, "name of the transition", kRequired},
};
constexpr Shape kTransitionStep{"transition step", kTransitionStepKeys};

constexpr Key kQueryStepKeys[] = {
    {"name", string, "name of the query", kRequired},
    {"params", value_map, "values of the query's parameters"},
};
constexpr Shape kQueryStep{"query step", kQueryStepKeys};

constexpr Key kSwitchKeys[] = {
    {"on", expression, "value that selects a case", kRequired},
    {"cases", objects_map, "values, each with its steps", kRequired, &kStep},
    {"else", objects, "steps for any other value", kOptional, &kStep},
};
constexpr Shape kSwitch{"switch step", kSwitchKeys};

constexpr Key kWaitForKeys[] = {
    {"topic", template_, "topic to wait for", kRequired},
    {"if", expression, "condition on the message, which is named payload", kOptional},
    {"timeout", duration, "maximum time to wait", kRequired},
};
constexpr Shape kWaitFor{"waitFor step", kWaitForKeys};

constexpr Key kHttpKeys[] = {
    {"method", string, "HTTP method", kRequired, nullptr, kMethods},
    {"url", template_, "http or https address", kRequired},
    {"headers", template_map, "headers; secret:NAME becomes the secret's value"},
    {"body", value, "body: an object or list is sent as JSON, a string as it is"},
    {"accept", counts, "status codes from 400 on that do not fail the step"},
};
constexpr Shape kHttp{"http step", kHttpKeys};

constexpr Key kConnectorStepKeys[] = {
    {"integration", string, "id of an integration in \"connectors\"", kRequired},
    {"action", string, "action of the integration", kRequired},
    {"props", value_map, "values of the action's properties"},
};
constexpr Shape kConnectorStep{"connector step", kConnectorStepKeys};

constexpr Key kMcpStepKeys[] = {
    {"tool", string, "mcp_<server>_<tool>", kRequired},
    {"props", value_map, "arguments of the tool"},
};
constexpr Shape kMcpStep{"mcp step", kMcpStepKeys};

constexpr Key kAiStepKeys[] = {
    {"prompt", template_, "prompt for the model", kRequired},
    {"system", template_, "system prompt"},
    {"schema", any_map, "JSON Schema of the object to answer with"},
};
constexpr Shape kAiStep{"ai step", kAiStepKeys};

constexpr Key kEmbedKeys[] = {{"texts", templates, "strings to embed", kRequired}};
constexpr Shape kEmbed{"embed step", kEmbedKeys};

constexpr Key kEmailKeys[] = {
    {"to", templates, "e-mail addresses", kRequired},
    {"subject", template_, "subject", kRequired},
    {"text", template_, "text of the mail", kRequired},
};
constexpr Shape kEmail{"email step", kEmailKeys};

constexpr Key kNotifyKeys[] = {
    {"to", templates, "id of a user, a persona, or a list of these", kRequired},
    {"title", template_, "title", kRequired},
    {"body", template_, "text of the notification"},
    {"link", template_, "page or address that the notification opens"},
};
constexpr Shape kNotify{"notify step", kNotifyKeys};

constexpr Key kPublishKeys[] = {
    {"topic", template_, "topic of the message", kRequired},
    {"payload", value, "content of the message"},
};
constexpr Shape kPublish{"publish step", kPublishKeys};

constexpr std::string_view kCalled[] = {"function", "workflow"};
constexpr Key kCallKeys[] = {
    {"function", string, "function to call"},
    {"workflow", string, "workflow to start"},
    {"params", value_map, "values of the parameters"},
};
constexpr Shape kCall{"call step", kCallKeys, kCalled};

constexpr Key kForKeys[] = {
    {"entity", string, "entity whose rows the step runs for", kRequired},
    {"where", value_map, "fields and the values that they must have"},
    {"limit", count, "maximum number of rows"},
};
constexpr Shape kFor{"for block", kForKeys};

constexpr Key kRetryKeys[] = {
    {"max", count, "total number of attempts, 1 to 100; default 5"},
    {"base", duration, "wait before the second attempt; default 2s"},
    {"factor", number, "factor by which each wait grows, 1 to 10; default 2"},
    {"cap", duration, "longest wait; default 10m"},
};

constexpr std::string_view kWithFor[] = {"for"};
constexpr std::string_view kWithAs[] = {"as"};
constexpr std::string_view kOnError[] = {"fail", "continue"};
constexpr std::string_view kActions[] = {"create",    "update",  "delete", "transition", "query",
                                         "set",       "switch",  "sleep",  "waitFor",    "http",
                                         "connector", "mcp",     "ai",     "embed",      "email",
                                         "notify",    "publish", "call",   "return",     "fail"};

constexpr Key kStepKeys[] = {
    {"id", identifier, "name of the step; its result is steps.<id>", kRequired},
    {"if", expression, "condition under which the step runs"},
    {"for",
     expression_or_object,
     "list or entity; the step runs once for each element or row",
     kOptional,
     &kFor,
     {},
     kWithAs},
    {"as", identifier, "name of the current element", kOptional, nullptr, {}, kWithFor},
    {"onError", string, "with for: fail, or continue with the next element; default fail",
     kOptional, nullptr, kOnError, kWithFor},
    {"retry", object, "how often a failed attempt is repeated", kOptional, &kRetry},
    {"timeout", duration, "maximum time of one attempt"},
    {"idempotency", template_,
     "of http and connector: the key that is sent; default one for the step of the run"},
    {"runAs", string, "system, actor or a persona; default as the function or workflow"},
    {"create", object, "creates a row", kOptional, &kCreate},
    {"update", object, "updates a row", kOptional, &kUpdate},
    {"delete", object, "deletes a row", kOptional, &kDelete},
    {"transition", object, "makes a transition of a row", kOptional, &kTransitionStep},
    {"query", object, "runs a named query", kOptional, &kQueryStep},
    {"set", value_map, "names values"},
    {"switch", object, "runs one of several lists of steps", kOptional, &kSwitch},
    {"sleep", duration, "waits"},
    {"waitFor", object, "waits for a message", kOptional, &kWaitFor},
    {"http", object, "sends an HTTP request", kOptional, &kHttp},
    {"connector", object, "calls an action of an integration", kOptional, &kConnectorStep},
    {"mcp", object, "calls a tool of a tool server", kOptional, &kMcpStep},
    {"ai", object, "asks an AI model", kOptional, &kAiStep},
    {"embed", object, "computes embeddings of strings", kOptional, &kEmbed},
    {"email", object, "sends a mail", kOptional, &kEmail},
    {"notify", object, "notifies users", kOptional, &kNotify},
    {"publish", object, "publishes a message to a topic", kOptional, &kPublish},
    {"call", object, "calls a function or starts a workflow", kOptional, &kCall},
    {"return", value, "ends the run with this result"},
    {"fail", template_, "ends the run with this error"},
};

}  // namespace

constinit const Shape kRetry{"retry block", kRetryKeys};
constinit const Shape kStep{"step", kStepKeys, kActions};

}  // namespace svc::contract
