// Finds uses of the result of a step that may be skipped: the result is then null.
#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "check/flow/flows.hpp"
#include "check/flow/step_expressions.hpp"

namespace svc::check {
namespace {

using model::Expr;
using model::ExprFunction;
using model::ExprKind;
using model::FlowStep;
using Steps = std::vector<FlowStep>;

bool same_value(const Expr& one, const Expr& other) {
    const auto same_step = [](const model::Step& a, const model::Step& b) {
        return a.kind == b.kind && a.entity == b.entity && a.field == b.field &&
               a.target == b.target && a.builtin == b.builtin;
    };
    return one.kind == other.kind && one.text == other.text && one.function == other.function &&
           one.root == other.root && one.attribute == other.attribute &&
           std::equal(one.steps.begin(), one.steps.end(), other.steps.begin(), other.steps.end(),
                      same_step) &&
           std::equal(one.args.begin(), one.args.end(), other.args.begin(), other.args.end(),
                      [](const auto& a, const auto& b) { return same_value(*a, *b); });
}

void named_steps(const Expr& expr, std::set<std::string>& out) {
    if (expr.kind == ExprKind::path && expr.root == model::Root::step) out.insert(expr.text);
    for (const auto& arg : expr.args) named_steps(*arg, out);
}

// True if the function handles a null.
bool is_prepared(const Expr& expr) {
    switch (expr.kind) {
        case ExprKind::call:
            return expr.function == ExprFunction::coalesce ||
                   expr.function == ExprFunction::exists || expr.function == ExprFunction::count;
        // A comparison with null is false, and null is what == null asks for.
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
        case ExprKind::in:
        case ExprKind::not_:
        case ExprKind::and_:
        case ExprKind::or_:
            return true;
        default:
            return false;
    }
}

class Skipped {
  public:
    explicit Skipped(diag::Findings& findings) : findings_(findings) {}

    void walk(const Steps& steps) {
        const auto guards = guards_;
        for (const FlowStep& step : steps) one(step);
        guards_ = guards;  // after the branch
    }

    void value(const Expr& expr, const std::string& path) {
        if (is_prepared(expr)) return;
        if (expr.kind == ExprKind::path && expr.root == model::Root::step) used(expr.text, path);
        for (const auto& arg : expr.args) value(*arg, path);
    }

  private:
    void one(const FlowStep& step) {
        const auto around = guards_;
        if (step.condition) guards_.push_back(step.condition.get());
        each_value(step, [&](const Expr& expr) { value(expr, step.path); });
        if (const auto* choice = std::get_if<model::SwitchStep>(&step.action)) {
            guards_.push_back(choice->on.get());
            for (const auto& [name, branch] : choice->cases) walk(branch);
            walk(choice->otherwise);
        }
        guards_ = around;
        const bool ends = std::holds_alternative<model::ReturnStep>(step.action) ||
                          std::holds_alternative<model::FailStep>(step.action);
        // A run that continues after this step has met its condition.
        if (ends && step.condition) guards_.push_back(step.condition.get());
        if (step.condition && !step.repeat) skippable_[step.id] = step.condition.get();
    }

    bool is_guarded(const std::string& id, const Expr& condition) const {
        return std::any_of(guards_.begin(), guards_.end(), [&](const Expr* guard) {
            std::set<std::string> named;
            named_steps(*guard, named);
            return named.contains(id) || same_value(*guard, condition);
        });
    }

    void used(const std::string& id, const std::string& path) {
        const auto step = skippable_.find(id);
        if (step == skippable_.end() || is_guarded(id, *step->second)) return;
        if (!reported_.insert(path + " " + id).second) return;
        findings_.warning(
            "SKIPPED_OUTPUT", path,
            "This uses the result of \"" + id + "\", which is null if the step is skipped.",
            "guard this step with an \"if\", or write coalesce(steps." + id + ".…, …)");
    }

    diag::Findings& findings_;
    std::map<std::string, const Expr*> skippable_;
    std::vector<const Expr*> guards_;
    std::set<std::string> reported_;
};

}  // namespace

void check_skipped(const model::Model& model, diag::Findings& findings) {
    for (const model::Function& function : model.flows.functions) {
        Skipped skipped(findings);
        skipped.walk(function.steps);
        if (!function.returns) continue;
        each_value(*function.returns,
                   [&](const Expr& expr) { skipped.value(expr, function.path + "/returns"); });
    }
    for (const model::Workflow& workflow : model.flows.workflows)
        Skipped(findings).walk(workflow.steps);
}

}  // namespace svc::check
