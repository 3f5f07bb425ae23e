// Topics that workflows start from or wait for: callers who may publish there control the
// workflows. And topics to which steps publish: who may listen there is open if they are not
// declared.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "check/flow/flow_steps.hpp"
#include "check/flow/flows.hpp"
#include "model/flow/topic_name.hpp"
#include "model/names.hpp"

namespace svc::check {
namespace {

// The topic's name, with a name in braces for each placeholder.
std::string name_of(const model::Template& topic) {
    std::string out;
    for (const model::MessagePart& part : topic) out += part.expr ? "{any}" : part.text;
    return out;
}

// A topic that the name may mean is declared without `publish`, or none is declared at all.
bool is_open(const model::Model& model, const std::string& name) {
    bool declared = false;
    for (const model::Topic& topic : model.flows.topics) {
        if (!model::may_be_same(topic.name, name)) continue;
        if (!topic.publish) return true;
        declared = declared || model::covers(topic.name, name);
    }
    return !declared;
}

class Topics {
  public:
    Topics(const model::Model& model, diag::Findings& findings)
        : model_(model), findings_(findings) {}

    void check(const model::Workflow& workflow) {
        if (workflow.on.kind == model::Trigger::Kind::topic) {
            hold(workflow.on.topic, workflow.path + "/on/topic",
                 "\"" + workflow.id + "\" starts from");
        }
        each_step(workflow.steps, [&](const model::FlowStep& step) {
            const auto* wait = std::get_if<model::WaitForStep>(&step.action);
            if (wait == nullptr) return;
            hold(name_of(wait->topic), step.path + "/waitFor/topic",
                 "\"" + step.id + "\" waits for");
        });
    }

  private:
    void hold(const std::string& name, const std::string& path, const std::string& who) {
        if (name.starts_with("row-changed")) {
            findings_.error("BAD_TOPIC", path,
                            who + " changes of rows, but these are not messages.",
                            "start a workflow with \"on\": {\"entity\": …, \"event\": …}");
        } else if (is_open(model_, name)) {
            findings_.error("TOPIC_NOT_GUARDED", path,
                            who + " a topic to which anybody with an app key may publish.",
                            "declare it in \"topics\" with \"publish\": [] for steps alone, or "
                            "with principals");
        }
    }

    const model::Model& model_;
    diag::Findings& findings_;
};

// A declared name may be what the step publishes to, or the name begins with a placeholder and may
// be anything.
bool may_be_declared(const model::Model& model, const std::string& name) {
    return name.starts_with('{') ||
           std::any_of(model.flows.topics.begin(), model.flows.topics.end(),
                       [&](const auto& topic) { return model::may_be_same(topic.name, name); });
}

// A contract that declares topics names those that are not for everybody, so a misspelt name opens
// one of them. Names with app: are often made up on purpose: only one like a declared name counts.
void check_published(const model::Model& model, const model::FlowStep& step,
                     diag::Findings& findings) {
    const auto* publish = std::get_if<model::PublishStep>(&step.action);
    if (publish == nullptr || model.flows.topics.empty()) return;
    const std::string name = name_of(publish->topic);
    if (may_be_declared(model, name)) return;
    std::vector<std::string> declared;
    for (const model::Topic& topic : model.flows.topics) declared.push_back(topic.name);
    const std::string mend = model::did_you_mean(name, declared, "");
    if (mend.empty() && name.starts_with("app:")) return;
    findings.warning("TOPIC_NOT_DECLARED", step.path + "/publish/topic",
                     "\"" + step.id + "\" publishes to \"" + name +
                         "\", which \"topics\" does not declare: anybody with an app key may "
                         "listen there.",
                     mend.empty() ? "declare it in \"topics\"" : mend);
}

}  // namespace

void check_topics(const model::Model& model, diag::Findings& findings) {
    const auto look = [&](const model::FlowStep& step) { check_published(model, step, findings); };
    for (const model::Function& function : model.flows.functions) each_step(function.steps, look);
    for (const model::Workflow& workflow : model.flows.workflows) each_step(workflow.steps, look);
    for (const model::Workflow& workflow : model.flows.workflows)
        Topics(model, findings).check(workflow);
}

}  // namespace svc::check
