// Functions: in the order in which they call each other.
#include <algorithm>
#include <set>

#include "model/flow/flow_work.hpp"

namespace svc::model {
namespace {

void called_functions(const std::vector<contract::Step>& steps, std::vector<std::string>& out) {
    for (const contract::Step& step : steps) {
        const contract::Value* name = step.body.find("function");
        if (step.action == "call" && name != nullptr) out.push_back(name->text);
        for (const auto& [value, branch] : step.cases) called_functions(branch, out);
        called_functions(step.otherwise, out);
    }
}

class FunctionResolver {
  public:
    explicit FunctionResolver(Work work)
        : work_(work), results_(work.in.flows.functions.size(), FlowType{}) {}

    // Called functions are resolved first, so that their results are known.
    const FunctionResults& run() {
        states_.resize(results_.size(), State::waits);
        for (std::size_t i = 0; i < results_.size(); ++i) visit(i);
        return results_;
    }

  private:
    enum class State { waits, runs, done };

    void visit(std::size_t index) {
        states_[index] = State::runs;
        const contract::Function& in = work_.in.flows.functions[index];
        std::vector<std::string> called;
        called_functions(in.steps, called);
        for (const std::string& name : called) {
            const auto next = find_named(work_.out.flows.functions, name, &Function::name);
            if (!next || states_[*next] == State::done) continue;
            if (states_[*next] == State::waits) {
                visit(*next);
            } else {
                cycle(in, name);
            }
        }
        if (states_[index] == State::done) return;
        resolve(in, work_.out.flows.functions[index], results_[index]);
        states_[index] = State::done;
    }

    void cycle(const contract::Function& from, const std::string& to) {
        if (!cycles_.insert(from.name.text + " " + to).second) return;
        work_.findings.error("FUNCTION_CYCLE", from.path,
                             from.name.text == to
                                 ? "\"" + to + "\" calls itself."
                                 : "\"" + from.name.text + "\" calls \"" + to +
                                       "\", which calls \"" + from.name.text + "\" again.",
                             "move a part into a workflow, or use for");
    }

    void resolve(const contract::Function& in, Function& out, std::optional<FlowType>& result) {
        FlowWork flow(work_, results_);
        flow.function = true;
        flow.names.input = object_of(members_of(out.params));
        step_ids(in.steps, flow.names.all);
        if (in.run_as) out.run_as = read_run_as(flow, *in.run_as);
        flow.run_as = out.run_as;
        out.steps = resolve_steps(flow, in.steps);
        if (in.returns) out.returns = read_value(flow, *in.returns);
        result = result_of(flow, out);
        out.gives = result;
        unused_params(flow, out.params);
    }

    // The type at the one place that returns; JSON if there are several.
    static std::optional<FlowType> result_of(const FlowWork& flow, const Function& function) {
        if (flow.returned.empty() && !function.returns) return std::nullopt;
        if (flow.returned.empty()) return type_of(flow, *function.returns);
        if (flow.returned.size() > 1 || function.returns) return FlowType{};
        return flow.returned.front();
    }

    Work work_;
    FunctionResults results_;
    std::vector<State> states_;
    std::set<std::string> cycles_;
};

}  // namespace

void declare_functions(Work work) {
    NameTable names(NameKind::other, work.findings);
    for (const contract::Function& in : work.in.flows.functions) {
        names.add(in.name);
        Function& out = work.out.flows.functions.emplace_back();
        out.name = in.name.text;
        out.path = in.path;
        out.params = resolve_params(work, in.params);
        for (const contract::Text& name : in.allow) {
            if (auto known = resolve_principal(work, name)) out.allow.push_back(std::move(*known));
        }
    }
}

FunctionResults resolve_functions(Work work) { return FunctionResolver(work).run(); }

}  // namespace svc::model
