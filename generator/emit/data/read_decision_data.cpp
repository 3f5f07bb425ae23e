#include <algorithm>

#include "emit/data/condition.hpp"
#include "emit/data/data.hpp"
#include "emit/text.hpp"
#include "plan/names.hpp"

namespace svc::emit {
namespace {

using plan::kEveryone;
using plan::Plan;

// if (viewer.is(to::clerk) && row.boolean(field::active)) return svc::ReadDecision::yes;
std::string read_decision_line(const Plan& plan, const plan::ReadDecisionLine& line) {
    const std::string who = line.who == kEveryone
                                ? ""
                                : "viewer.is(" + principals(line.who, plan.principal_names) + ")";
    const std::string test = guarded_text(who, line.condition);
    const std::string answer =
        "return svc::ReadDecision::" + std::string(base::word(line.answer)) + ";";
    return test.empty() ? answer : "if (" + test + ") " + answer;
}

// Then there is nothing to decide here.
bool always_asks(const plan::ReadDecision& read_decision) {
    const auto asks = [](const plan::ReadDecisionLine& line) {
        return line.answer == plan::ReadAnswer::ask;
    };
    return std::ranges::all_of(read_decision.lines, asks);
}

Data read_decision_data(const Plan& plan, const plan::ReadDecision& read_decision) {
    Data lines{Data::type::list};
    bool row = false;
    bool viewer = false;
    for (const plan::ReadDecisionLine& each : read_decision.lines) {
        const std::string text = read_decision_line(plan, each);
        row |= text.find("row.") != std::string::npos;
        viewer |= text.find("viewer.") != std::string::npos;
        Data one;
        one["text"] = text;
        lines.push_back(one);
    }
    std::string columns;
    for (const auto& [member, index] : read_decision.columns) {
        columns += (columns.empty() ? "" : ", ") + member + " = " + std::to_string(index);
    }
    Data keys{Data::type::list};
    for (const plan::ReadKey& key : read_decision.keys) {
        Data one;
        one["who"] = principals(key.who, plan.principal_names);
        one["column"] = plan::cpp_identifier(key.column);
        one["of"] = std::string(base::word(key.of));
        keys.push_back(one);
    }
    Data out;
    out["lines"] = std::move(lines);
    out["keys"] = std::move(keys);
    out["row"] = std::string(row ? " row" : "");
    out["viewer"] = std::string(viewer ? " viewer" : "");
    out["columns"] = columns;
    out["names_columns"] = !columns.empty();
    return out;
}

}  // namespace

void add_read_decision(const Plan& plan, const plan::ReadDecision& read_decision, Data& out) {
    if (!always_asks(read_decision)) out["read_decision"] = read_decision_data(plan, read_decision);
    out["has_read_keys"] = !read_decision.keys.empty();
    out["read_varies"] = principals(read_decision.varies, plan.principal_names);
    out["read_asks"] = principals(read_decision.asks, plan.principal_names);
}

}  // namespace svc::emit
