// Functions, workflows, webhooks and topics as their author wrote them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/grant.hpp"
#include "contract/params.hpp"
#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

// for: an expression, or the rows of an entity.
struct Repeat {
    std::optional<Text> list;
    Text entity;
    std::optional<Value> where, limit;
    Text as;
    std::string path;
};

struct Retry {
    std::optional<Value> max, factor;
    std::optional<Text> base, cap;
};

struct Step {
    Text id;
    std::optional<Text> condition;
    std::optional<Repeat> repeat;
    std::optional<Retry> retry;
    std::optional<Text> timeout, idempotency, run_as, on_error;
    std::string action;                                     // create, update, …: the key
    Value body;                                             // its value
    std::vector<std::pair<Text, std::vector<Step>>> cases;  // of switch
    std::vector<Step> otherwise;                            // of switch
    std::string path;
};

struct Function {
    Text name;
    std::vector<Param> params;
    Texts allow;
    std::optional<Text> run_as;
    std::vector<Step> steps;
    std::optional<Value> returns;
    std::string path;
};

// One of entity (with event or transition), cron, every, webhook, topic, auth, payment, failed,
// manual.
struct Trigger {
    std::optional<Text> entity, event, transition, cron, tz, every, webhook, topic, auth, payment;
    std::optional<Text> failed;
    std::optional<Texts> fields;
    std::optional<Value> manual;
    std::string path;
};

struct Workflow {
    Text id;
    Trigger on;
    std::optional<Text> condition;
    std::vector<Param> params;
    std::optional<Text> run_as;
    std::vector<Step> steps;
    std::optional<Retry> retry;
    std::optional<Text> timeout, key, key_for, concurrency_key, overflow, catch_up;
    std::optional<Value> concurrency_limit;
    std::string path;
};

struct WebhookIn {
    Text name;
    std::optional<Text> secret, run, dedupe, scheme;
    std::string path;
};

struct WebhookOut {
    Text name;
    Texts on;
    Text url, secret;
    std::string path;
};

struct Topic {
    Text name;
    std::optional<std::vector<Grant>> publish, subscribe;
    std::string path;
};

struct Flows {
    std::vector<Function> functions;
    std::vector<Workflow> workflows;
    std::vector<WebhookIn> webhooks_in;
    std::vector<WebhookOut> webhooks_out;
    std::vector<Topic> topics;
};

}  // namespace svc::contract
