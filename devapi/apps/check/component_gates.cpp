#include "apps/check/component_gates.hpp"

#include "contract/parse.hpp"
#include "gates/contract.hpp"
#include "model/resolve.hpp"
#include "pipeline.hpp"

namespace svc::devapi {

void gate_components(const std::string& contract, const plan::Plan& plan,
                     const build::Settings& settings, diag::Findings& findings) {
    if (contract.find("\"components\"") == std::string::npos) return;
    const auto parsed = contract::parse(contract);
    if (!parsed.contract) return;
    const model::Resolved resolved = model::resolve(*parsed.contract);
    if (!resolved.model || resolved.model->components.empty()) return;
    const gates::Job job = gates::job_of(*resolved.model, pipeline::emit(plan));
    gates::add_findings(gates::run(job, settings), *resolved.model, findings);
}

}  // namespace svc::devapi
