// Functions, workflows, webhooks and topics, resolved: entities, fields, functions and workflows
// are indexes; expressions are typed; texts are pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/access/principal.hpp"
#include "model/expr/expr.hpp"

namespace svc::model {

struct Field;

using Template = std::vector<MessagePart>;
using Seconds = std::uint32_t;

struct FlowMemberValue;

// A JSON value whose texts may have holes.
struct FlowValue {
    enum class Kind {
        literal,  // json
        text,     // pieces: a text with holes
        expr,     // a text that is one hole: the value itself
        list,     // items
        object,   // members
    } kind = Kind::literal;
    std::string json = "null";
    Template pieces;
    ExprPtr expr;
    std::vector<FlowValue> items;
    std::vector<FlowMemberValue> members;
};

struct FlowMemberValue {
    std::string name;
    FlowValue value;
};

// A column of an entity and its value.
struct Assignment {
    std::size_t field = 0;  // index in Entity::fields
    std::string builtin;    // set instead for id, created_at, updated_at, user_id, org_id
    FlowValue value;
};

struct RunAs {
    enum class Kind { system, actor, persona } kind = Kind::system;
    std::string persona;
};

struct Retry {
    std::uint32_t max = 5;  // attempts; 1: no retry
    Seconds base = 2, cap = 600;
    double factor = 2;
};

struct FlowStep;

struct CreateStep {
    std::size_t entity = 0;
    std::vector<Assignment> data;
};
struct UpdateStep {
    std::size_t entity = 0;
    FlowValue id;
    std::vector<Assignment> data;
};
struct DeleteStep {
    std::size_t entity = 0;
    FlowValue id;
};
struct TransitionStep {
    std::size_t entity = 0;
    FlowValue id;
    std::size_t transition = 0;  // index in the lifecycle's transitions
};
struct QueryStep {
    std::size_t query = 0;  // index in Model::queries
    std::vector<FlowMemberValue> params;
};
struct SetStep {
    std::vector<FlowMemberValue> values;
};
struct SwitchStep {
    ExprPtr on;
    std::vector<std::pair<std::string, std::vector<FlowStep>>> cases;
    std::vector<FlowStep> otherwise;
    bool has_else = false;
};
struct SleepStep {
    Seconds seconds = 0;
};
struct WaitForStep {
    Template topic;
    ExprPtr condition;  // over `payload`; null: any message
    Seconds timeout = 0;
};
struct HttpStep {
    std::string method;
    Template url;
    std::vector<std::pair<std::string, Template>> headers;  // a literal secret:NAME is that secret
    std::optional<FlowValue> body;
};
struct ConnectorStep {
    std::size_t integration = 0, action = 0;
    std::vector<FlowMemberValue> props;
};
struct McpStep {
    std::size_t server = 0;
    std::string tool;  // as the server calls it
    std::vector<FlowMemberValue> props;
};
struct AiStep {
    Template prompt, system;
    std::string schema;  // JSON text; empty: the answer is a text
};
struct EmbedStep {
    std::vector<FlowValue> texts;
};
struct EmailStep {
    std::vector<FlowValue> to;
    Template subject, text;
};
struct NotifyStep {
    std::vector<std::string> personas;
    std::vector<FlowValue> users;  // ids, or lists of them
    Template title, body, link;
};
struct PublishStep {
    Template topic;
    FlowValue payload;
};
struct CallStep {
    bool workflow = false;   // else a function
    std::size_t target = 0;  // index in Model::functions or Model::workflows
    std::vector<FlowMemberValue> params;
};
struct ReturnStep {
    FlowValue value;
};
struct FailStep {
    Template message;
};

using FlowAction =
    std::variant<CreateStep, UpdateStep, DeleteStep, TransitionStep, QueryStep, SetStep, SwitchStep,
                 SleepStep, WaitForStep, HttpStep, ConnectorStep, McpStep, AiStep, EmbedStep,
                 EmailStep, NotifyStep, PublishStep, CallStep, ReturnStep, FailStep>;

// for: a list, or the rows of an entity.
struct Repeat {
    std::string as;
    ExprPtr list;  // null: rows
    std::size_t entity = 0;
    std::vector<Assignment> where;
    std::optional<std::uint32_t> limit;
};

struct FlowStep {
    std::string id;
    ExprPtr condition;  // null: always
    std::optional<Repeat> repeat;
    std::optional<Retry> retry;  // else its workflow's
    std::optional<Seconds> timeout;
    Template idempotency;
    std::optional<RunAs> run_as;  // else as its function or workflow does
    FlowAction action;
    std::string path;
};

struct Function {
    std::string name;
    std::vector<Field> params;  // name, type, required, default and path are set
    std::vector<Principal> allow;
    RunAs run_as;
    std::vector<FlowStep> steps;
    std::optional<FlowValue> returns;
    std::string path;
};

enum class RowEvent { created, updated, deleted };

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
    Template key;
    std::string path;
};

struct WebhookIn {
    std::string name;
    std::string secret;              // its name; empty: one is made
    std::optional<std::size_t> run;  // workflow
    std::string dedupe;              // path in the body; empty: the event's id
    std::string path;
};

// What an outgoing webhook is told of.
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
    std::string name;                // app:order:{id}
    std::vector<std::string> parts;  // id: what stands in braces, in order
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
