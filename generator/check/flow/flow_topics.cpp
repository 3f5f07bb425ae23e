// Topics that workflows start from or wait for: callers who may publish there control the
// workflows.
#include <variant>

#include "check/flow/flow_steps.hpp"
#include "check/flow/flows.hpp"
#include "model/flow/topic_name.hpp"

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

}  // namespace

void check_topics(const model::Model& model, diag::Findings& findings) {
    for (const model::Workflow& workflow : model.flows.workflows)
        Topics(model, findings).check(workflow);
}

}  // namespace svc::check
