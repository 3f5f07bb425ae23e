#include "check/flow/flow_steps.hpp"

#include <variant>

namespace svc::check {

void each_step(const std::vector<model::FlowStep>& steps,
               const std::function<void(const model::FlowStep&)>& visit) {
    for (const model::FlowStep& step : steps) {
        visit(step);
        const auto* choice = std::get_if<model::SwitchStep>(&step.action);
        if (choice == nullptr) continue;
        for (const auto& [value, branch] : choice->cases) each_step(branch, visit);
        each_step(choice->otherwise, visit);
    }
}

}  // namespace svc::check
