#include "check/flow/flows.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include "check/flow/flow_steps.hpp"

namespace svc::check {
namespace {

using model::FlowStep;
using model::RowEvent;
using model::Trigger;
using Steps = std::vector<FlowStep>;

bool ends(const Steps& steps);

// True if no step after it ever runs.
bool ends(const FlowStep& step) {
    if (step.condition || step.repeat) return false;
    if (std::holds_alternative<model::ReturnStep>(step.action)) return true;
    if (std::holds_alternative<model::FailStep>(step.action)) return true;
    const auto* choice = std::get_if<model::SwitchStep>(&step.action);
    if (choice == nullptr || !choice->has_else || !ends(choice->otherwise)) return false;
    return std::all_of(choice->cases.begin(), choice->cases.end(),
                       [](const auto& branch) { return ends(branch.second); });
}

bool ends(const Steps& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const FlowStep& step) { return ends(step); });
}

// The first one of each list; the others are as far away.
void unreachable_steps(const Steps& steps, diag::Findings& findings) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (const auto* choice = std::get_if<model::SwitchStep>(&steps[i].action)) {
            for (const auto& [value, branch] : choice->cases) unreachable_steps(branch, findings);
            unreachable_steps(choice->otherwise, findings);
        }
        if (!ends(steps[i]) || i + 1 == steps.size()) continue;
        findings.warning("UNREACHABLE_STEP", steps[i + 1].path,
                         "\"" + steps[i + 1].id + "\" never runs: \"" + steps[i].id +
                             "\" before it always ends the run.",
                         "give \"" + steps[i].id + "\" an \"if\", or remove this step");
        return;
    }
}

bool does_nothing(const FlowStep& step) {
    if (const auto* set = std::get_if<model::SetStep>(&step.action)) return set->values.empty();
    if (const auto* update = std::get_if<model::UpdateStep>(&step.action)) {
        return update->data.empty();
    }
    if (const auto* mail = std::get_if<model::EmailStep>(&step.action)) return mail->to.empty();
    if (const auto* embed = std::get_if<model::EmbedStep>(&step.action)) {
        return embed->texts.empty();
    }
    if (const auto* notify = std::get_if<model::NotifyStep>(&step.action)) {
        return notify->personas.empty() && notify->users.empty();
    }
    const auto* choice = std::get_if<model::SwitchStep>(&step.action);
    return choice != nullptr && choice->otherwise.empty() &&
           std::all_of(choice->cases.begin(), choice->cases.end(),
                       [](const auto& branch) { return branch.second.empty(); });
}

void idle_steps(const Steps& steps, diag::Findings& findings) {
    each_step(steps, [&](const FlowStep& step) {
        const bool never = step.repeat && step.repeat->list &&
                           step.repeat->list->kind == model::ExprKind::list &&
                           step.repeat->list->args.empty();
        if (!never && !does_nothing(step)) return;
        findings.warning(
            "STEP_DOES_NOTHING", step.path,
            "\"" + step.id + "\" does nothing: " + (never ? "its list is empty." : "it is empty."),
            "complete the step, or remove it");
    });
}

void idle_workflow(const model::Workflow& workflow, diag::Findings& findings) {
    if (!workflow.steps.empty()) return;
    findings.warning("STEP_DOES_NOTHING", workflow.path + "/steps",
                     "\"" + workflow.id + "\" does nothing: it has no steps.",
                     "add steps, or remove the workflow");
}

// True if such an update fires the trigger.
bool touches(const model::Entity& entity, const Trigger& on, const FlowStep& step) {
    const auto watched = [&](std::size_t field) {
        return std::find(on.fields.begin(), on.fields.end(), field) != on.fields.end();
    };
    if (const auto* move = std::get_if<model::TransitionStep>(&step.action)) {
        return move->entity == on.entity && (on.fields.empty() || watched(entity.lifecycle->field));
    }
    const auto* update = std::get_if<model::UpdateStep>(&step.action);
    if (update == nullptr || update->entity != on.entity) return false;
    return on.fields.empty() ||
           std::any_of(update->data.begin(), update->data.end(), [&](const auto& assigned) {
               return assigned.builtin.empty() && watched(assigned.field);
           });
}

bool fires(const model::Model& model, const Trigger& on, const FlowStep& step) {
    if (on.kind == Trigger::Kind::topic) {
        const auto* publish = std::get_if<model::PublishStep>(&step.action);
        return publish != nullptr && publish->topic.size() == 1 && !publish->topic[0].expr &&
               publish->topic[0].text == on.topic;
    }
    if (on.kind != Trigger::Kind::event) return false;
    if (const auto* create = std::get_if<model::CreateStep>(&step.action)) {
        return on.event == RowEvent::created && create->entity == on.entity;
    }
    return on.event == RowEvent::updated && touches(model.entities[on.entity], on, step);
}

void circles(const model::Model& model, std::size_t index, diag::Findings& findings) {
    const model::Workflow& workflow = model.flows.workflows[index];
    if (workflow.condition) return;
    // A step in a branch is on a condition, too.
    for (const FlowStep& step : workflow.steps) {
        const auto* call = std::get_if<model::CallStep>(&step.action);
        const bool calls = call != nullptr && call->workflow && call->target == index;
        if (step.condition || (!calls && !fires(model, workflow.on, step))) continue;
        findings.warning("WORKFLOW_TRIGGERS_ITSELF", step.path,
                         "The step \"" + step.id + "\" starts its own workflow \"" + workflow.id +
                             "\" again, without end.",
                         "give the workflow or the step an \"if\"");
    }
}

// A workflow that starts when another one fails, which starts when this one does.
void circle_of_failures(const model::Model& model, std::size_t index, diag::Findings& findings) {
    const auto& workflows = model.flows.workflows;
    std::size_t at = index;
    for (std::size_t i = 0; i < workflows.size(); ++i) {
        if (workflows[at].on.kind != Trigger::Kind::failed || workflows[at].condition) return;
        at = workflows[at].on.failed;
        if (at == index) break;
    }
    if (at != index || workflows[index].on.failed == index) return;
    findings.warning("WORKFLOW_TRIGGERS_ITSELF", workflows[index].path + "/on/failed",
                     "\"" + workflows[index].id + "\" starts when \"" +
                         workflows[workflows[index].on.failed].id +
                         "\" fails, and the other way round.",
                     "let one of them start in another way");
}

std::set<std::size_t> called_functions(const model::Model& model) {
    std::set<std::size_t> out;
    const auto collect = [&](const FlowStep& step) {
        const auto* call = std::get_if<model::CallStep>(&step.action);
        if (call != nullptr && !call->workflow) out.insert(call->target);
    };
    for (const model::Function& function : model.flows.functions) {
        each_step(function.steps, collect);
    }
    for (const model::Workflow& workflow : model.flows.workflows) {
        each_step(workflow.steps, collect);
    }
    return out;
}

void idle_functions(const model::Model& model, diag::Findings& findings) {
    const std::set<std::size_t> called = called_functions(model);
    for (std::size_t i = 0; i < model.flows.functions.size(); ++i) {
        const model::Function& function = model.flows.functions[i];
        if (!function.allow.empty() || called.count(i) > 0) continue;
        findings.warning("FUNCTION_FOR_NOBODY", function.path,
                         "Nobody may call \"" + function.name + "\", and no step calls it.",
                         "name principals in \"allow\"");
    }
}

// These services make the secret themselves, and take none.
bool brings_its_secret(model::HookScheme scheme) {
    return scheme == model::HookScheme::stripe || scheme == model::HookScheme::slack ||
           scheme == model::HookScheme::shopify;
}

void look_at_webhooks(const model::Model& model, diag::Findings& findings) {
    const auto& workflows = model.flows.workflows;
    for (std::size_t i = 0; i < model.flows.webhooks_in.size(); ++i) {
        const model::WebhookIn& hook = model.flows.webhooks_in[i];
        const bool bound =
            std::any_of(workflows.begin(), workflows.end(), [&](const model::Workflow& workflow) {
                return workflow.on.kind == Trigger::Kind::webhook && workflow.on.webhook == i;
            });
        if (hook.scheme == model::HookScheme::none) {
            findings.warning("WEBHOOK_NOT_SIGNED", hook.path + "/scheme",
                             "Everyone who knows the address of \"" + hook.name +
                                 "\" can call it: the webhook does not verify the sender.",
                             "let the sender sign its calls, and set \"scheme\"");
        }
        if (hook.secret.empty() && brings_its_secret(hook.scheme)) {
            const std::string service(base::word(hook.scheme));
            findings.warning("WEBHOOK_LACKS_SECRET", hook.path + "/scheme",
                             "\"" + hook.name + "\" refuses every call of " + service + ", which " +
                                 "signs with a secret of its own: the contract names none.",
                             "add \"secret\": \"secret:NAME\", and give it the secret that " +
                                 service + " shows: svc secrets set NAME <value>");
        }
        if (bound || hook.run) continue;
        findings.warning("WEBHOOK_IDLE", hook.path, "Calls of \"" + hook.name + "\" start nothing.",
                         "name a workflow in \"run\", or remove the webhook");
    }
}

}  // namespace

void check_flows(const model::Model& model, diag::Findings& findings) {
    for (const model::Function& function : model.flows.functions) {
        unreachable_steps(function.steps, findings);
        idle_steps(function.steps, findings);
    }
    for (std::size_t i = 0; i < model.flows.workflows.size(); ++i) {
        unreachable_steps(model.flows.workflows[i].steps, findings);
        idle_steps(model.flows.workflows[i].steps, findings);
        idle_workflow(model.flows.workflows[i], findings);
        circles(model, i, findings);
        circle_of_failures(model, i, findings);
    }
    idle_functions(model, findings);
    look_at_webhooks(model, findings);
    check_order(model, findings);
    check_topics(model, findings);
    check_external(model, findings);
    check_skipped(model, findings);
    check_settings(model, findings);
    check_ai_steps(model, findings);
}

}  // namespace svc::check
