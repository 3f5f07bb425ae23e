// Steps of functions and workflows, and their values, resolved: entities, fields, functions and
// workflows are indexes; expressions are typed; texts are pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/expr/expr.hpp"

namespace svc::model {

using Template = std::vector<MessagePart>;
using Seconds = std::uint32_t;

struct FlowMemberValue;

// A JSON value whose texts may have placeholders.
struct FlowValue {
    enum class Kind {
        literal,  // json
        text,     // pieces: a text with placeholders
        expr,     // a text that is one placeholder: the value itself
        list,     // items
        object,   // members
    } kind = Kind::literal;
    std::string json = "null";
    std::string said;                  // literal: the string itself, if it is one
    std::optional<std::string> input;  // of a field: PostgreSQL's input text; none: null
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
    std::vector<std::pair<std::string, Template>> headers;
    std::vector<std::pair<std::string, std::string>> secrets;  // headers that are one, by its name
    std::vector<std::uint32_t> accept;  // status codes from 400 on that do not fail the step
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
    bool goes_on = false;         // of one that is repeated: an element that fails ends nothing
    FlowAction action;
    std::string path;
};

}  // namespace svc::model
