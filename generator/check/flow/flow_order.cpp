// Checks the order of a function's steps: calls of other services come before its writes, because
// no transaction stays open during a call.
#include <variant>

#include "check/flow/flows.hpp"

namespace svc::check {
namespace {

using model::FlowStep;
using Steps = std::vector<FlowStep>;

bool is_call_of_others(const model::FlowAction& action) {
    return std::holds_alternative<model::HttpStep>(action) ||
           std::holds_alternative<model::ConnectorStep>(action) ||
           std::holds_alternative<model::McpStep>(action) ||
           std::holds_alternative<model::AiStep>(action) ||
           std::holds_alternative<model::EmbedStep>(action);
}

// Mails, notices, messages and starts of workflows are rows of the same transaction.
bool is_write(const model::Model& model, const model::FlowAction& action) {
    if (const auto* query = std::get_if<model::QueryStep>(&action))
        return model.queries[query->query].writes;
    if (const auto* call = std::get_if<model::CallStep>(&action)) return call->workflow;
    return std::holds_alternative<model::CreateStep>(action) ||
           std::holds_alternative<model::UpdateStep>(action) ||
           std::holds_alternative<model::DeleteStep>(action) ||
           std::holds_alternative<model::TransitionStep>(action) ||
           std::holds_alternative<model::EmailStep>(action) ||
           std::holds_alternative<model::NotifyStep>(action) ||
           std::holds_alternative<model::PublishStep>(action);
}

class Order {
  public:
    Order(const model::Model& model, diag::Findings& findings)
        : model_(model), findings_(findings) {}

    void check(const model::Function& function) {
        wrote_ = false;
        tells_ = true;
        walk(function.steps);
    }

  private:
    void walk(const Steps& steps) {
        for (const FlowStep& step : steps) {
            at_ = tells_ ? &step : at_;
            // The step repeats, so the writes for one element come before the next element.
            if (step.repeat) one(step, false);
            one(step, true);
        }
    }

    void one(const FlowStep& step, bool reports) {
        if (is_call_of_others(step.action)) outside(reports);
        if (const auto* choice = std::get_if<model::SwitchStep>(&step.action)) branches(*choice);
        const auto* call = std::get_if<model::CallStep>(&step.action);
        if (call != nullptr && !call->workflow) called(*call);
        if (is_write(model_, step.action)) wrote_ = true;
    }

    void outside(bool reports) {
        if (!wrote_ || !reports || at_ == last_) return;
        last_ = at_;
        findings_.error("OUTSIDE_AFTER_WRITE", at_->path,
                        "\"" + at_->id +
                            "\" calls others after the function has written: its "
                            "transaction would stay open for as long as they take.",
                        "call them before the first write, or let a workflow do it");
    }

    void branches(const model::SwitchStep& choice) {
        const bool before = wrote_;
        bool any = before;
        const auto branch = [&](const Steps& steps) {
            wrote_ = before;
            walk(steps);
            any = any || wrote_;
        };
        for (const auto& [value, steps] : choice.cases) branch(steps);
        branch(choice.otherwise);
        wrote_ = any;
    }

    // Counts the writes of the called function. Its own order is reported when it is checked
    // itself.
    void called(const model::CallStep& call) {
        const bool before = tells_;
        tells_ = false;
        walk(model_.flows.functions[call.target].steps);
        tells_ = before;
    }

    const model::Model& model_;
    diag::Findings& findings_;
    bool wrote_ = false;
    bool tells_ = true;               // of the function itself, not of one that it calls
    const FlowStep* at_ = nullptr;    // its step at hand
    const FlowStep* last_ = nullptr;  // that was reported
};

}  // namespace

void check_order(const model::Model& model, diag::Findings& findings) {
    for (const model::Function& function : model.flows.functions)
        Order(model, findings).check(function);
}

}  // namespace svc::check
