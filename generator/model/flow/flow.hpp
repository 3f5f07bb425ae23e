// Functions, workflows, webhooks and topics, resolved: entities, fields, functions and workflows
// are indexes; expressions are typed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "model/access/principal.hpp"
#include "model/expr/flow_type.hpp"
#include "model/flow/flow_step.hpp"

namespace svc::model {

struct Field;

struct Function {
    std::string name;
    std::vector<Field> params;  // name, type, required, default and path are set
    std::vector<Principal> allow;
    RunAs run_as;
    std::vector<FlowStep> steps;
    std::optional<FlowValue> returns;
    std::optional<FlowType> gives;  // its result; none: it has none
    std::string path;
};

enum class RowEvent : std::uint8_t { created, updated, deleted };

struct Trigger {
    enum class Kind {
        event,
        transition,
        cron,
        every,
        webhook,
        topic,
        auth,
        payment,
        failed,
        manual
    } kind = Kind::manual;
    std::size_t entity = 0;  // event, transition; payment: the order's
    RowEvent event = RowEvent::created;
    std::vector<std::size_t> fields;  // of updated: one of them changed; empty: any
    std::size_t transition = 0;
    std::string cron, tz;
    Seconds every = 0;
    std::size_t webhook = 0;  // index in Model::webhooks_in
    std::string topic;        // app:order:{id}
    bool signup = false;      // auth: else login
    bool paid = false;        // payment: else failed
    std::size_t failed = 0;   // index in Model::workflows
    bool broken = false;      // of an entity that is not there: it has its finding
};

struct Workflow {
    std::string id;
    Trigger on;
    ExprPtr condition;
    std::vector<Field> params;
    RunAs run_as;
    std::vector<FlowStep> steps;
    Retry retry;
    std::optional<Seconds> timeout;
    Template concurrency_key;
    std::uint32_t concurrency_limit = 0;  // 0: none
    std::string overflow = "queue";       // skip, replace
    Template key;
    Seconds key_for = 86'400;
    std::string catch_up = "last";  // skip, all
    std::string path;
};

// How calls of a webhook are signed.
enum class HookScheme : std::uint8_t { svc, standard, github, stripe, slack, shopify, none };

struct WebhookIn {
    std::string name;
    std::string secret;              // its name; empty: one is made
    std::optional<std::size_t> run;  // workflow
    std::string dedupe;              // path in the body; empty: the event's id
    HookScheme scheme = HookScheme::svc;
    std::string path;
};

// A change that an outgoing webhook gets.
struct RowChange {
    std::size_t entity = 0;
    std::optional<std::size_t> transition;
    RowEvent event = RowEvent::created;
};

struct WebhookOut {
    std::string name, url, secret;
    std::vector<RowChange> on;
    std::string path;
};

struct TopicGrant {
    Principal to;
    ExprPtr condition;  // on the caller and the parts of the name; null: always
    std::string path;
};

struct Topic {
    std::string name;                                           // app:order:{id}
    std::vector<std::string> parts;                             // id: the names in braces, in order
    std::optional<std::vector<TopicGrant>> publish, subscribe;  // absent: as for any topic
    std::string path;
};

struct Flows {
    std::vector<Function> functions;
    std::vector<Workflow> workflows;
    std::vector<WebhookIn> webhooks_in;
    std::vector<WebhookOut> webhooks_out;
    std::vector<Topic> topics;
};

}  // namespace svc::model

// As contracts name them; the table of keys lists the same names.
template <>
struct svc::base::Words<svc::model::RowEvent> {
    static constexpr std::array<std::string_view, 3> kAll = {"created", "updated", "deleted"};
};

template <>
struct svc::base::Words<svc::model::HookScheme> {
    static constexpr std::array<std::string_view, 7> kAll = {
        "svc", "standard", "github", "stripe", "slack", "shopify", "none"};
};
