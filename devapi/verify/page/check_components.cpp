// Components pass their gates against the client of the live contract.
#include "gates/contract.hpp"
#include "pipeline.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

void check_components(Subject& subject, VerifyCheck& out) {
    const auto& components = subject.model.components;
    if (components.empty()) return not_run(out, "The contract has no components.");
    const gates::Job job = gates::job_of(subject.model, pipeline::emit(subject.plan));
    const gates::Report report =
        gates::run(job, built_for(subject.services.config, subject.project.id));
    if (!report.trouble.empty()) return not_run(out, report.trouble);
    for (const gates::GateFinding& one : report.errors)
        out.bad(one.component + ".tsx:" + std::to_string(one.line) + ":" +
                std::to_string(one.column) + ": " + one.message);
    if (!report.ok()) return;
    for (std::size_t i = 0; i < components.size(); ++i) out.good();
    out.said = std::to_string(components.size()) +
               " components pass the gates static, types, compile and render.";
}

}  // namespace svc::devapi::verification
