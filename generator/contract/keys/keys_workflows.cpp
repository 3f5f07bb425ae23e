// Functions, workflows, webhooks and topics.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kRowEvents[] = {"created", "updated", "deleted"};
constexpr std::string_view kSignIns[] = {"signup", "login"};
constexpr std::string_view kPaymentEvents[] = {"paid", "failed"};

constexpr Key kFunctionKeys[] = {
    {"name", identifier, "name of the function: POST /functions/<name>", kRequired},
    {"params", object_map, "parameters of a call", kOptional, &kParam},
    {"allow", string_or_strings, "principals that may call the function; default only steps"},
    {"runAs", string, "system, actor or a persona; default system"},
    {"steps", objects, "steps, which run in one transaction", kRequired, &kStep},
    {"returns", value, "result of the function"},
};

constexpr std::string_view kTriggers[] = {"event", "transition", "cron",    "every",  "webhook",
                                          "topic", "auth",       "payment", "failed", "manual"};
constexpr std::string_view kWithEntity[] = {"entity"};
constexpr std::string_view kWithEvent[] = {"event"};
constexpr std::string_view kWithEither[] = {"event", "transition"};
constexpr std::string_view kWithCron[] = {"cron"};

constexpr Key kTriggerKeys[] = {
    {"entity", string, "entity of the row", kOptional, nullptr, {}, kWithEither},
    {"event", string, "event of the row", kOptional, nullptr, kRowEvents, kWithEntity},
    {"fields",
     strings,
     "of updated: fields of which one must have changed",
     kOptional,
     nullptr,
     {},
     kWithEvent},
    {"transition", string, "transition that the row made", kOptional, nullptr, {}, kWithEntity},
    {"cron", string, "minute, hour, day of month, month, day of week: 0 9 * * 1-5"},
    {"tz", string, "IANA time zone of cron; default the app's", kOptional, nullptr, {}, kWithCron},
    {"every", duration, "interval between runs"},
    {"webhook", string, "name of an incoming webhook"},
    {"topic", string, "topic whose messages start it; {name} matches any string without a colon"},
    {"auth", string, "signup or login of a user", kOptional, nullptr, kSignIns},
    {"payment", string, "payment of an order, or its failure", kOptional, nullptr, kPaymentEvents},
    {"failed", string, "workflow of which a run failed"},
    {"manual", flag, "true: started by hand or by a call step"},
};
constexpr Shape kTrigger{"trigger", kTriggerKeys, kTriggers};

constexpr std::string_view kOverflows[] = {"queue", "skip", "replace"};
constexpr std::string_view kCatchUps[] = {"last", "skip", "all"};
constexpr std::string_view kSchemes[] = {"svc",   "standard", "github", "stripe",
                                         "slack", "shopify",  "none"};
constexpr std::string_view kWithKey[] = {"key"};

constexpr Key kConcurrencyKeys[] = {
    {"key", template_, "runs with the same key share the limit; default all runs"},
    {"limit", count, "maximum number of runs at a time, 1 to 1000", kRequired},
    {"overflow", string,
     "queue: the run waits; skip: it does not start; replace: the oldest run ends; default queue",
     kOptional, nullptr, kOverflows},
};
constexpr Shape kConcurrency{"concurrency block", kConcurrencyKeys};

constexpr Key kWorkflowKeys[] = {
    {"id", identifier, "name of the workflow", kRequired},
    {"on", object, "trigger of the workflow", kRequired, &kTrigger},
    {"if", expression, "condition under which the workflow starts"},
    {"params", object_map, "parameters of a manual start", kOptional, &kParam},
    {"runAs", string, "system, actor or a persona; default system"},
    {"steps", objects, "steps, each recorded when it is done", kRequired, &kStep},
    {"retry", object, "how often a failed step is repeated", kOptional, &kRetry},
    {"timeout", duration, "maximum time of a run"},
    {"concurrency", object, "limit of runs at a time", kOptional, &kConcurrency},
    {"key", template_, "key; a second run with the same key does nothing"},
    {"keyFor",
     duration,
     "how long after the start of a run its key counts; default 24h",
     kOptional,
     nullptr,
     {},
     kWithKey},
    {"catchUp", string,
     "with cron and every: which times run after a pause of the server; default last", kOptional,
     nullptr, kCatchUps},
};

constexpr Key kWebhookInKeys[] = {
    {"name", identifier, "name of the webhook: POST /hooks/<project>/<name>", kRequired},
    {"secret", secret, "secret:NAME that signs calls; default a generated secret"},
    {"run", string, "workflow to start"},
    {"dedupe", string, "path in the body to the id that repeated calls share: event.id"},
    {"scheme", string, "how calls are signed; default svc", kOptional, nullptr, kSchemes},
};
constexpr Shape kWebhookIn{"incoming webhook", kWebhookInKeys};

constexpr Key kWebhookOutKeys[] = {
    {"name", identifier, "name of the webhook", kRequired},
    {"on", strings, "events: <entity>.created, updated, deleted or transition.<name>", kRequired},
    {"url", string, "https address to call", kRequired},
    {"secret", secret, "secret:NAME that signs calls", kRequired},
};
constexpr Shape kWebhookOut{"outgoing webhook", kWebhookOutKeys};

constexpr Key kWebhooksKeys[] = {
    {"in", objects, "webhooks that other services call", kOptional, &kWebhookIn},
    {"out", objects, "webhooks that call other services when rows change", kOptional, &kWebhookOut},
};

constexpr Key kTopicGrantKeys[] = {
    {"to", string, "principal", kRequired},
    {"if", expression, "condition on parts of the name and on the caller: id == user.id"},
};
constexpr Shape kTopicGrant{"grant of a topic", kTopicGrantKeys};

constexpr Key kTopicKeys[] = {
    {"name", string, "name of the topic: app:order:{id}; {name} matches any string without a colon",
     kRequired},
    {"publish", grants, "who may publish; default as for topics that are not declared", kOptional,
     &kTopicGrant},
    {"subscribe", grants, "who may listen; default as for topics that are not declared", kOptional,
     &kTopicGrant},
};

}  // namespace

constinit const Shape kFunction{"function", kFunctionKeys};
constinit const Shape kWorkflow{"workflow", kWorkflowKeys};
constinit const Shape kWebhooks{"webhooks block", kWebhooksKeys};
constinit const Shape kTopic{"topic", kTopicKeys};

}  // namespace svc::contract
