#include "verify/flow/flow_words.hpp"

#include <algorithm>

#include "verify/clone/fixtures.hpp"
#include "verify/query/query_text.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostRunsTold = 200;

const plan::PlannedFlow& planned_flow(const plan::Plan& plan, const std::string& name,
                                      bool workflow) {
    return *std::ranges::find_if(plan.flows.all, [&](const plan::PlannedFlow& flow) {
        return flow.workflow == workflow && flow.name == name;
    });
}

}  // namespace

void report_run(VerifyCheck& out, const std::string& of, const std::string& by,
                const FlowOutcome& outcome) {
    if (out.runs.size() < kMostRunsTold)
        out.runs.push_back({of, by, outcome.effects, outcome.more, outcome.words()});
    if (outcome.own_fault())
        return out.bad("The " + of + ", begun by " + by + ", ends " + outcome.words() +
                       ", through nothing that the contract says.");
    out.good();
}

void compare_definitions(Subject& subject, bool workflows, VerifyCheck& out) {
    CloneConnection& db = subject.connection;
    for (const plan::PlannedFlow& flow : subject.plan.flows.all) {
        if (flow.workflow != workflows) continue;
        const std::string kind = workflows ? "workflow" : "function";
        const bool same = db.is_true(
            "select coalesce((select d.body = " + db.quote(flow.definition) +
            "::jsonb and coalesce(f.trigger, 'null') = " + db.quote(flow.trigger) +
            "::jsonb from svc.flow f join svc.definition d on d.hash = f.hash where f.live and "
            "f.kind = " +
            db.quote(kind) + " and f.name = " + db.quote(flow.name) + "), false)");
        same ? out.good()
             : out.bad("The definition of the " + kind + " " + flow.name +
                       " in the database is not the one that the contract gives.");
    }
}

bool can_be_driven(const Subject& subject, const std::string& name, bool workflow,
                   const Reach& reach) {
    const model::Model& model = subject.model;
    const auto here = [&](std::size_t entity) {
        return can_be_tried(model, model.entities[entity]);
    };
    std::string text = planned_flow(subject.plan, name, workflow).definition;
    for (const std::size_t called : reach.functions)
        text += planned_flow(subject.plan, model.flows.functions[called].name, false).definition;
    return std::ranges::all_of(entities_in(model, text), here);
}

}  // namespace svc::devapi::verification
