#include "verify/flow/flow_reach.hpp"

#include <algorithm>

namespace svc::devapi::verification {
namespace {

using model::FlowStep;
using model::RunAs;

class ReachWalk {
  public:
    explicit ReachWalk(const model::Model& model) : model_(model) {}

    void look(const std::vector<FlowStep>& steps, const RunAs& around) {
        for (const FlowStep& step : steps) {
            const RunAs& as = step.run_as ? *step.run_as : around;
            out.as_caller = out.as_caller || as.kind != RunAs::Kind::system;
            out.fails = out.fails || step.repeat;
            if (step.repeat && !step.repeat->list) out.entities.insert(step.repeat->entity);
            std::visit([&](const auto& action) { see(action, as); }, step.action);
        }
    }

    Reach out;

  private:
    void write(std::size_t entity) {
        out.writes = true;
        out.entities.insert(entity);
    }
    void see(const model::CreateStep& step, const RunAs&) { write(step.entity); }
    void see(const model::UpdateStep& step, const RunAs&) { write(step.entity); }
    void see(const model::DeleteStep& step, const RunAs&) { write(step.entity); }
    void see(const model::TransitionStep& step, const RunAs&) {
        write(step.entity);
        out.moves = true;
    }
    void see(const model::SwitchStep& step, const RunAs& as) {
        for (const auto& [value, branch] : step.cases) look(branch, as);
        look(step.otherwise, as);
    }
    void see(const model::CallStep& step, const RunAs&) {
        if (step.workflow || !out.functions.insert(step.target).second) return;
        const model::Function& called = model_.flows.functions[step.target];
        look(called.steps, called.run_as);
    }
    template <class Action>
    void see(const Action&, const RunAs&) {
        static constexpr bool kFails =
            std::is_same_v<Action, model::FailStep> || std::is_same_v<Action, model::HttpStep> ||
            std::is_same_v<Action, model::ConnectorStep> ||
            std::is_same_v<Action, model::McpStep> || std::is_same_v<Action, model::AiStep> ||
            std::is_same_v<Action, model::EmbedStep>;
        out.fails = out.fails || kFails;
    }

    const model::Model& model_;
};

bool is_param(const model::FlowValue& value, const std::string& name) {
    const model::Expr* expr = value.expr.get();
    return expr && expr->kind == model::ExprKind::path && expr->root == model::Root::input &&
           expr->steps.size() == 1 && expr->steps[0].builtin == name;
}

using Named = std::optional<ParamRow>;

Named named_by(const model::Model& model, const model::CallStep& step, const std::string& param) {
    if (step.workflow) return std::nullopt;
    for (const auto& member : step.params)
        if (is_param(member.value, param))
            return row_of_param(model, model.flows.functions[step.target].steps, member.name);
    return std::nullopt;
}

Named named_by(const model::Model& model, const model::SwitchStep& step, const std::string& param) {
    for (const auto& [value, branch] : step.cases)
        if (const Named found = row_of_param(model, branch, param)) return found;
    return row_of_param(model, step.otherwise, param);
}

template <class Action>
std::optional<std::size_t> transition_of(const Action& step) {
    if constexpr (requires { step.transition; })
        return step.transition;
    else
        return std::nullopt;
}

template <class Action>
Named named_by(const model::Model&, const Action& step, const std::string& param) {
    if constexpr (requires {
                      step.id;
                      step.entity;
                  })
        if (is_param(step.id, param)) return ParamRow{step.entity, transition_of(step)};
    return std::nullopt;
}

}  // namespace

Reach reach_of(const model::Model& model, const std::vector<FlowStep>& steps, const RunAs& around) {
    ReachWalk walk(model);
    walk.look(steps, around);
    return std::move(walk.out);
}

std::optional<ParamRow> row_of_param(const model::Model& model, const std::vector<FlowStep>& steps,
                                     const std::string& param) {
    for (const FlowStep& step : steps) {
        const Named found = std::visit(
            [&](const auto& action) { return named_by(model, action, param); }, step.action);
        if (found) return found;
    }
    return std::nullopt;
}

}  // namespace svc::devapi::verification
