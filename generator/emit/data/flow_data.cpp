#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {

Data flows_data(const plan::Plan& plan) {
    Data functions{Data::type::list};
    bool any = false;
    for (const plan::PlannedFlow& flow : plan.flows.all) {
        if (flow.workflow) continue;
        Data one;
        one["name"] = cpp_literal(flow.name);
        one["allow"] = principals(flow.allow, plan.principal_names);
        functions.push_back(one);
        any = true;
    }
    Data out;
    out["app"] = plan.namespace_name;
    out["has_functions"] = any;
    out["value"] = std::string(any ? " = kFunctions" : "");
    out["functions"] = std::move(functions);
    return out;
}

}  // namespace svc::emit
