#include "contract/read/read_flow.hpp"

#include "contract/read/read_grants.hpp"

namespace svc::contract {
namespace {

Function read_function(const Reader& in) {
    Function out;
    out.name = in.text("name");
    out.params = read_params(in);
    out.allow = in.texts("allow");
    out.run_as = in.maybe_text("runAs");
    out.steps = read_steps(in.items("steps"));
    out.returns = in.maybe_value("returns");
    out.path = in.path();
    return out;
}

Trigger read_trigger(const Reader& in) {
    Trigger out;
    out.entity = in.maybe_text("entity");
    out.event = in.maybe_text("event");
    out.transition = in.maybe_text("transition");
    out.fields = in.maybe_texts("fields");
    out.cron = in.maybe_text("cron");
    out.tz = in.maybe_text("tz");
    out.every = in.maybe_text("every");
    out.webhook = in.maybe_text("webhook");
    out.topic = in.maybe_text("topic");
    out.auth = in.maybe_text("auth");
    out.payment = in.maybe_text("payment");
    out.failed = in.maybe_text("failed");
    out.manual = in.maybe_value("manual");
    out.path = in.path();
    return out;
}

Workflow read_workflow(const Reader& in) {
    Workflow out;
    out.id = in.text("id");
    out.on.path = in.path();
    if (const Value* on = in.find("on")) out.on = read_trigger(Reader(*on));
    out.condition = in.maybe_text("if");
    out.params = read_params(in);
    out.run_as = in.maybe_text("runAs");
    out.steps = read_steps(in.items("steps"));
    out.retry = read_retry(in);
    out.timeout = in.maybe_text("timeout");
    out.key = in.maybe_text("key");
    out.key_for = in.maybe_text("keyFor");
    out.catch_up = in.maybe_text("catchUp");
    if (const Value* value = in.find("concurrency")) {
        out.concurrency_key = Reader(*value).maybe_text("key");
        out.concurrency_limit = Reader(*value).maybe_value("limit");
        out.overflow = Reader(*value).maybe_text("overflow");
    }
    out.path = in.path();
    return out;
}

WebhookIn read_webhook_in(const Reader& in) {
    return {in.text("name"),         in.maybe_text("secret"), in.maybe_text("run"),
            in.maybe_text("dedupe"), in.maybe_text("scheme"), in.path()};
}

WebhookOut read_webhook_out(const Reader& in) {
    return {in.text("name"), in.texts("on"), in.text("url"), in.text("secret"), in.path()};
}

std::optional<std::vector<Grant>> maybe_grants(const Reader& in, std::string_view key) {
    if (in.find(key) == nullptr) return std::nullopt;
    return read_grants(in, key);
}

Topic read_topic(const Reader& in) {
    return {in.text("name"), maybe_grants(in, "publish"), maybe_grants(in, "subscribe"), in.path()};
}

template <typename Item>
std::vector<Item> read_all(const Reader& in, std::string_view key, Item (*read)(const Reader&)) {
    std::vector<Item> out;
    for (const Value& item : in.items(key)) out.push_back(read(Reader(item)));
    return out;
}

}  // namespace

Flows read_flows(const Reader& contract) {
    Flows out;
    out.functions = read_all(contract, "functions", read_function);
    out.workflows = read_all(contract, "workflows", read_workflow);
    if (const Value* webhooks = contract.find("webhooks")) {
        out.webhooks_in = read_all(Reader(*webhooks), "in", read_webhook_in);
        out.webhooks_out = read_all(Reader(*webhooks), "out", read_webhook_out);
    }
    out.topics = read_all(contract, "topics", read_topic);
    return out;
}

}  // namespace svc::contract
