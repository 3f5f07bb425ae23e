#include "plan/flow/plan_flows.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/sha256.hpp"
#include "plan/flow/definition.hpp"
#include "plan/flow/trigger.hpp"
#include "plan/json_writer.hpp"
#include "plan/principals.hpp"
#include "plan/queries.hpp"
#include "plan/service/payments.hpp"
#include "plan/types.hpp"
#include "plan/write/lifecycle.hpp"

namespace svc::plan {
namespace {

using model::FieldType;
using model::Model;

// {"a","b"} of PostgreSQL, whose elements are all quoted, as they are in JSON.
std::string tags_default(const std::string& text) {
    std::string inside = text.substr(1, text.size() - 2);
    std::vector<std::string> items;
    for (std::size_t at = 0; at < inside.size(); ++at) {
        std::string item;
        for (++at; at < inside.size() && inside[at] != '"'; ++at) {
            if (inside[at] == '\\') ++at;
            item += inside[at];
        }
        items.push_back(json_string(item));
        ++at;  // the comma
    }
    return json_list(items);
}

// A value that JSON writes without quotes, as PostgreSQL does.
bool is_bare(FieldType type) {
    return type == FieldType::boolean || type == FieldType::json || is_numeric(type);
}

std::string param_default(const QueryParam& param) {
    if (param.declared == FieldType::tags) return tags_default(*param.fallback);
    return is_bare(param.declared) ? *param.fallback : json_string(*param.fallback);
}

std::string params_json(const PlannedFlow& flow) {
    if (flow.any_input) return "null";
    JsonWriter out;
    for (const QueryParam& param : flow.params) {
        JsonWriter one;
        one.put_text("type", base::word(param.declared));
        if (param.required) one.put("required", "true");
        if (param.fallback) one.put("default", param_default(param));
        out.put(param.name, one.str());
    }
    return out.str();
}

std::vector<QueryParam> planned_params(const Model& model,
                                       const std::vector<model::Field>& fields) {
    std::vector<QueryParam> out;
    out.reserve(fields.size());
    for (const model::Field& field : fields) out.push_back(plan_param(model, field));
    return out;
}

PlannedFlow plan_function(const Model& model, const Plan& plan, const model::Function& in) {
    PlannedFlow out;
    out.name = in.name;
    out.source = "svc.json#" + in.path;
    for (const model::Principal& principal : in.allow) out.who.push_back(principal_name(principal));
    out.allow = bits(model, in.allow);
    std::string who;
    for (const std::string& name : out.who) who += (who.empty() ? "" : ", ") + name;
    out.starts = who.empty() ? "when a step calls it" : "when it is called by " + who;
    out.trigger = "null";
    out.params = planned_params(model, in.params);
    out.gives = in.gives;
    define(model, plan, in, out);
    out.hash = base::sha256_hex(out.definition);
    return out;
}

PlannedFlow plan_workflow(const Model& model, const Plan& plan, const model::Workflow& in) {
    using Kind = model::Trigger::Kind;
    PlannedFlow out;
    out.workflow = true;
    out.name = in.id;
    out.source = "svc.json#" + in.path;
    out.starts = trigger_words(model, in.on);
    out.trigger = trigger_json(model, in);
    out.params = planned_params(model, in.params);
    out.any_input = in.params.empty();
    out.callable =
        in.on.kind == Kind::manual || in.on.kind == Kind::cron || in.on.kind == Kind::every;
    if (in.on.kind == Kind::cron) {
        out.cron = in.on.cron;
        out.zone = in.on.tz;
    }
    out.every = in.on.every;
    out.catch_up = in.catch_up;
    define(model, plan, in, out);
    out.hash = base::sha256_hex(out.definition);
    return out;
}

std::string flow_json(const PlannedFlow& flow) {
    std::vector<std::string> who;
    for (const std::string& name : flow.who) who.push_back(json_string(name));
    return JsonWriter()
        .put_text("kind", flow.workflow ? "workflow" : "function")
        .put_text("name", flow.name)
        .put_text("hash", flow.hash)
        .put("definition", flow.definition)
        .put("trigger", flow.trigger)
        .put("params", params_json(flow))
        .put("allow", json_list(who))
        .str();
}

std::string hook_in_json(const Model& model, std::size_t index) {
    const model::WebhookIn& hook = model.flows.webhooks_in[index];
    JsonWriter out;
    out.put_text("name", hook.name);
    out.put("secret", hook.secret.empty() ? "null" : json_string(hook.secret));
    std::string workflow = "null";
    if (hook.run) workflow = json_string(model.flows.workflows[*hook.run].id);
    for (const model::Workflow& one : model.flows.workflows) {
        if (one.on.kind == model::Trigger::Kind::webhook && one.on.webhook == index)
            workflow = json_string(one.id);
    }
    out.put("workflow", workflow);
    out.put("dedupe", hook.dedupe.empty() ? "null" : json_string(hook.dedupe));
    return out.put_text("scheme", std::string(base::word(hook.scheme))).str();
}

std::string hook_out_json(const Model& model, const model::WebhookOut& hook) {
    std::vector<std::string> on;
    for (const model::RowChange& change : hook.on) {
        const model::Entity& entity = model.entities[change.entity];
        JsonWriter one;
        one.put_text("table", entity.name);
        if (change.transition) {
            one.put_text("transition", entity.lifecycle->transitions[*change.transition].name);
        } else {
            one.put_text("event", std::string(base::word(change.event)));
        }
        on.push_back(one.str());
    }
    return JsonWriter()
        .put_text("name", hook.name)
        .put("on", json_list(on))
        .put_text("url", hook.url)
        .put_text("secret", hook.secret)
        .str();
}

std::string document(const Model& model, const Plan& plan) {
    std::vector<std::string> flows, out, in;
    for (const PlannedFlow& flow : plan.flows.all) flows.push_back(flow_json(flow));
    for (const model::WebhookOut& hook : model.flows.webhooks_out)
        out.push_back(hook_out_json(model, hook));
    for (std::size_t i = 0; i < model.flows.webhooks_in.size(); ++i)
        in.push_back(hook_in_json(model, i));
    JsonWriter personas;
    for (const model::Persona& persona : model.personas)
        personas.put_text(persona.id, all_names(persona));
    return JsonWriter()
        .put("personas", personas.str())
        .put("flows", json_list(flows))
        .put("hooksOut", json_list(out))
        .put("hooksIn", json_list(in))
        .put("payments", payments_json(model))
        .str();
}

// Entities whose rows the system moves.
class Movers {
  public:
    void look(const std::vector<model::FlowStep>& steps, const model::RunAs& around) {
        for (const model::FlowStep& step : steps) {
            const model::RunAs& as = step.run_as ? *step.run_as : around;
            if (const auto* move = std::get_if<model::TransitionStep>(&step.action);
                move != nullptr && as.kind == model::RunAs::Kind::system)
                found_.insert(move->entity);
            const auto* choice = std::get_if<model::SwitchStep>(&step.action);
            if (choice == nullptr) continue;
            for (const auto& [value, branch] : choice->cases) look(branch, as);
            look(choice->otherwise, as);
        }
    }
    const std::set<std::size_t>& found() const { return found_; }

  private:
    std::set<std::size_t> found_;
};

void plan_movers(const Model& model, Plan& plan) {
    Movers movers;
    for (const model::Function& one : model.flows.functions) movers.look(one.steps, one.run_as);
    for (const model::Workflow& one : model.flows.workflows) movers.look(one.steps, one.run_as);
    for (const std::size_t entity : movers.found())
        plan.routines.push_back(plan_moves(model, model.entities[entity]));
}

}  // namespace

void plan_flows(const Model& model, Plan& plan) {
    for (const model::Function& one : model.flows.functions)
        plan.flows.all.push_back(plan_function(model, plan, one));
    for (const model::Workflow& one : model.flows.workflows)
        plan.flows.all.push_back(plan_workflow(model, plan, one));
    plan.flows.hooks = !model.flows.webhooks_in.empty() || !model.flows.webhooks_out.empty();
    plan.flows.document = document(model, plan);
    plan_movers(model, plan);
}

}  // namespace svc::plan
