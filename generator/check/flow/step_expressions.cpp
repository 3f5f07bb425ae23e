#include "check/flow/step_expressions.hpp"

#include <variant>

namespace svc::check {
namespace {

using model::FlowMemberValue;
using model::FlowValue;
using model::Template;

class Values {
  public:
    explicit Values(const ExprVisit& visit) : visit_(visit) {}

    void of(const FlowValue& value) const {
        if (value.expr) visit_(*value.expr);
        of(value.pieces);
        of(value.items);
        of(value.members);
    }
    void of(const Template& pieces) const {
        for (const model::MessagePart& piece : pieces)
            if (piece.expr) visit_(*piece.expr);
    }
    void of(const std::vector<FlowValue>& values) const {
        for (const FlowValue& value : values) of(value);
    }
    void of(const std::vector<FlowMemberValue>& members) const {
        for (const FlowMemberValue& member : members) of(member.value);
    }
    void of(const std::vector<model::Assignment>& data) const {
        for (const model::Assignment& assigned : data) of(assigned.value);
    }

    void operator()(const model::CreateStep& step) const { of(step.data); }
    void operator()(const model::UpdateStep& step) const {
        of(step.id);
        of(step.data);
    }
    void operator()(const model::DeleteStep& step) const { of(step.id); }
    void operator()(const model::TransitionStep& step) const { of(step.id); }
    void operator()(const model::QueryStep& step) const { of(step.params); }
    void operator()(const model::SetStep& step) const { of(step.values); }
    void operator()(const model::SwitchStep&) const {}  // an own value is not a case
    void operator()(const model::SleepStep&) const {}
    void operator()(const model::WaitForStep& step) const { of(step.topic); }
    void operator()(const model::HttpStep& step) const {
        of(step.url);
        for (const auto& [name, value] : step.headers) of(value);
        if (step.body) of(*step.body);
    }
    void operator()(const model::ConnectorStep& step) const { of(step.props); }
    void operator()(const model::McpStep& step) const { of(step.props); }
    void operator()(const model::AiStep& step) const {
        of(step.prompt);
        of(step.system);
    }
    void operator()(const model::EmbedStep& step) const { of(step.texts); }
    void operator()(const model::EmailStep& step) const {
        of(step.to);
        of(step.subject);
        of(step.text);
    }
    void operator()(const model::NotifyStep& step) const {
        of(step.users);
        of(step.title);
        of(step.body);
        of(step.link);
    }
    void operator()(const model::PublishStep& step) const {
        of(step.topic);
        of(step.payload);
    }
    void operator()(const model::CallStep& step) const { of(step.params); }
    void operator()(const model::ReturnStep& step) const { of(step.value); }
    void operator()(const model::FailStep& step) const { of(step.message); }

  private:
    const ExprVisit& visit_;
};

}  // namespace

void each_value(const model::FlowValue& value, const ExprVisit& visit) { Values(visit).of(value); }

void each_value(const model::FlowStep& step, const ExprVisit& visit) {
    std::visit(Values(visit), step.action);
}

}  // namespace svc::check
