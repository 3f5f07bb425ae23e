// Functions, workflows, webhooks and topics.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kRowEvents[] = {"created", "updated", "deleted"};
constexpr std::string_view kSignIns[] = {"signup", "login"};
constexpr std::string_view kPaymentEvents[] = {"paid", "failed"};

constexpr Key kFunctionKeys[] = {
    {"name", identifier, "its name: POST /functions/<name>", kRequired},
    {"params", object_map, "what it is called with", kOptional, kRuns, &kParam},
    {"allow", string_or_strings, "principals that may call it; none: steps alone"},
    {"runAs", string, "system, actor or a persona; system"},
    {"steps", objects, "what it does, in one transaction", kRequired, kRuns, &kStep},
    {"returns", value, "its result"},
};

constexpr std::string_view kTriggers[] = {"event", "transition", "cron",    "every", "webhook",
                                          "topic", "auth",       "payment", "manual"};
constexpr std::string_view kWithEntity[] = {"entity"};
constexpr std::string_view kWithEvent[] = {"event"};
constexpr std::string_view kWithEither[] = {"event", "transition"};
constexpr std::string_view kWithCron[] = {"cron"};

constexpr Key kTriggerKeys[] = {
    {"entity", string, "entity of the row", kOptional, kRuns, nullptr, {}, kWithEither},
    {"event", string, "what happened to it", kOptional, kRuns, nullptr, kRowEvents, kWithEntity},
    {"fields",
     strings,
     "of updated: one of these fields changed",
     kOptional,
     kRuns,
     nullptr,
     {},
     kWithEvent},
    {"transition", string, "move that it made", kOptional, kRuns, nullptr, {}, kWithEntity},
    {"cron", string, "minute, hour, day of month, month, day of week: 0 9 * * 1-5"},
    {"tz", string, "IANA time zone of cron; the app's", kOptional, kRuns, nullptr, {}, kWithCron},
    {"every", duration, "again and again after this time"},
    {"webhook", string, "one of webhooks.in"},
    {"topic", string, "a message of this topic; {name} stands for any text without a colon"},
    {"auth", string, "somebody signs up or in", kOptional, kRuns, nullptr, kSignIns},
    {"payment", string, "an order is paid, or its payment failed", kOptional, kRuns, nullptr,
     kPaymentEvents},
    {"manual", flag, "true: it is started by hand or by a call"},
};
constexpr Shape kTrigger{"trigger", kTriggerKeys, kTriggers};

constexpr Key kConcurrencyKeys[] = {
    {"key", template_, "runs with the same key are counted together; all runs"},
    {"limit", count, "how many of them run at a time, 1 to 1000", kRequired},
};
constexpr Shape kConcurrency{"concurrency block", kConcurrencyKeys};

constexpr Key kWorkflowKeys[] = {
    {"id", identifier, "its name", kRequired},
    {"on", object, "what starts it", kRequired, kRuns, &kTrigger},
    {"if", expression, "it starts only where this holds"},
    {"params", object_map, "what it is started with", kOptional, kRuns, &kParam},
    {"runAs", string, "system, actor or a persona; system"},
    {"steps", objects, "what it does, one recorded step after the other", kRequired, kRuns, &kStep},
    {"retry", object, "how often a failed step is tried again", kOptional, kRuns, &kRetry},
    {"timeout", duration, "how long a run may take"},
    {"concurrency", object, "how many runs at a time", kOptional, kRuns, &kConcurrency},
    {"key", template_, "a second run with the same key does nothing"},
};

constexpr Key kWebhookInKeys[] = {
    {"name", identifier, "its name: POST /hooks/<project>/<name>", kRequired},
    {"secret", secret, "secret:NAME that calls are signed with; one is made"},
    {"run", string, "workflow that it starts"},
    {"dedupe", string, "path in the body of what tells repeated calls: event.id"},
};
constexpr Shape kWebhookIn{"incoming webhook", kWebhookInKeys};

constexpr Key kWebhookOutKeys[] = {
    {"name", identifier, "its name", kRequired},
    {"on", strings, "<entity>.created, updated, deleted or transition.<name>", kRequired},
    {"url", string, "https address that is called", kRequired},
    {"secret", secret, "secret:NAME that calls are signed with", kRequired},
};
constexpr Shape kWebhookOut{"outgoing webhook", kWebhookOutKeys};

constexpr Key kWebhooksKeys[] = {
    {"in", objects, "calls that others make", kOptional, kRuns, &kWebhookIn},
    {"out", objects, "calls to others when rows change", kOptional, kRuns, &kWebhookOut},
};

constexpr Key kTopicGrantKeys[] = {
    {"to", string, "principal", kRequired},
    {"if", expression, "condition on the parts of the name and the caller: id == user.id"},
};
constexpr Shape kTopicGrant{"grant of a topic", kTopicGrantKeys};

constexpr Key kTopicKeys[] = {
    {"name", string, "app:order:{id}; {name} stands for any text without a colon", kRequired},
    {"publish", grants, "who may publish; as without it", kOptional, kRuns, &kTopicGrant},
    {"subscribe", grants, "who may listen; as without it", kOptional, kRuns, &kTopicGrant},
};

}  // namespace

constinit const Shape kFunction{"function", kFunctionKeys};
constinit const Shape kWorkflow{"workflow", kWorkflowKeys};
constinit const Shape kWebhooks{"webhooks block", kWebhooksKeys};
constinit const Shape kTopic{"topic", kTopicKeys};

}  // namespace svc::contract
