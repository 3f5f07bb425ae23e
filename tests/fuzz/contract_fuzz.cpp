// Gives any bytes as a contract: check and emit must end with findings or with files.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "demand.hpp"
#include "pipeline.hpp"

using svc::fuzz::demand;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const svc::pipeline::Checked checked = svc::pipeline::check(text);
    demand(checked.plan.has_value() != checked.findings.has_errors(),
           "there is a plan where there is no error");
    int line = 0;
    for (const auto& finding : checked.findings.all()) {
        demand(!finding.code.empty() && !finding.message.empty(), "a finding has code and message");
        demand(finding.line >= line, "findings stand in the author's order");
        line = finding.line;
        demand(!svc::diag::render(finding, "svc.json", text, false).empty(), "it can be shown");
    }
    if (checked.plan) demand(!svc::pipeline::emit(*checked.plan).empty(), "a plan gives files");
    return 0;
}
