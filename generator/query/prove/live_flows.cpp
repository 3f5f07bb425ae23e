#include "query/prove/live_flows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "query/prove/flow_world.hpp"
#include "query/scratch/in_temporary.hpp"
#include "query/scratch/scratch_connection.hpp"

namespace svc::query {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed = 3;  // broken steps of a definition that are named

// A statement of a step that is still to come, or may be.
struct HeldText {
    std::string step, sql;
};

std::string text_of(const json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// Reads what a definition needs of the app: statements of its steps, and flows that they call.
class Reader {
  public:
    explicit Reader(const json& definition) {
        if (const auto steps = definition.find("steps"); steps != definition.end()) read(*steps);
        add("what it returns", text_of(definition, "returns"));
    }
    std::vector<HeldText> texts;
    struct Call {
        std::string step, name;
        bool workflow = false;
    };
    std::vector<Call> calls;

  private:
    void add(const std::string& step, std::string sql) {
        if (!sql.empty()) texts.push_back({step, std::move(sql)});
    }

    void read(const json& steps) {
        for (const json& step : steps) {
            const std::string id = text_of(step, "id");
            for (const char* name : {"sql", "if", "filter", "idempotency"})
                add(id, text_of(step, name));
            if (const auto loop = step.find("for"); loop != step.end())
                add(id, text_of(*loop, "list"));
            for (const char* name : {"workflow", "function"})
                if (std::string called = text_of(step, name); !called.empty())
                    calls.push_back({id, std::move(called), *name == 'w'});
            if (const auto cases = step.find("cases"); cases != step.end())
                for (const json& one : *cases)
                    if (const auto inner = one.find("steps"); inner != one.end()) read(*inner);
            if (const auto other = step.find("else"); other != step.end() && other->is_array())
                read(*other);
        }
    }
};

bool calls_nothing(const plan::Plan& plan, const Reader::Call& call) {
    const auto& all = plan.flows.all;
    return std::none_of(all.begin(), all.end(), [&call](const plan::PlannedFlow& flow) {
        return flow.workflow == call.workflow && flow.name == call.name;
    });
}

// Why steps would fail, each step once.
std::vector<std::string> broken(ScratchConnection& scratch, const plan::Plan& plan,
                                const Reader& reader) {
    std::vector<std::string> out;
    std::string last;
    for (const HeldText& text : reader.texts) {
        Refusal refusal;
        if (text.step == last || scratch.describe(in_temporary(text.sql), {kContextType}, refusal))
            continue;
        last = text.step;
        out.push_back(text.step + " (" + refusal.message + ")");
    }
    for (const Reader::Call& call : reader.calls)
        if (calls_nothing(plan, call))
            out.push_back(call.step + " (it calls the " +
                          (call.workflow ? "workflow \"" : "function \"") + call.name +
                          "\", which is gone)");
    return out;
}

std::string listed(const std::vector<std::string>& steps) {
    std::string out;
    for (std::size_t i = 0; i < std::min(steps.size(), kMostListed); ++i)
        out += (i == 0 ? "" : ", ") + steps[i];
    return steps.size() > kMostListed
               ? out + ", and " + std::to_string(steps.size() - kMostListed) + " more"
               : out;
}

// The workflow's place where the contract still has it.
std::string path_of(const plan::Plan& plan, const std::string& workflow) {
    for (const plan::PlannedFlow& flow : plan.flows.all)
        if (flow.workflow && flow.name == workflow)
            return flow.source.substr(flow.source.find('#') + 1);
    return {};
}

void warn(const plan::Plan& plan, const LiveFlow& flow, const std::string& what,
          diag::Findings& findings) {
    const bool one = flow.runs == 1;
    findings.warning("CONTRACT_CHANGED", path_of(plan, flow.workflow),
                     std::to_string(flow.runs) + (one ? " run" : " runs") + " of \"" +
                         flow.workflow + "\" " + (one ? "is" : "are") +
                         " under way with an earlier definition. " + what,
                     "wait until the runs have ended, cancel them (svc logs --workflow " +
                         flow.workflow + " lists them), or keep what their steps need until then");
}

std::string no_longer(const std::vector<std::string>& steps) {
    return "These steps would fail: " + listed(steps) +
           ". A run that reaches such a step becomes a dead letter.";
}

}  // namespace

void prove_live_flows(const plan::Plan& plan, const std::vector<plan::Table>& tables,
                      const std::vector<LiveFlow>& flows, const Database& database,
                      std::string_view values, diag::Findings& findings) {
    Budget budget(database.budget);
    auto flow = flows.begin();
    try {
        ScratchConnection scratch(database.url, budget);
        scratch.make_tables(flow_world(tables, plan.routines, values));
        for (; flow != flows.end(); ++flow) {
            const Reader reader(json::parse(flow->definition));
            if (const auto steps = broken(scratch, plan, reader); !steps.empty())
                warn(plan, *flow, no_longer(steps), findings);
        }
    } catch (const TooSlow&) {
        for (; flow != flows.end(); ++flow)
            warn(plan, *flow, "Whether its steps would still work takes too long to find out.",
                 findings);
    }
}

}  // namespace svc::query
