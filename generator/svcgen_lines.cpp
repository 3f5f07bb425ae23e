#include "svcgen_lines.hpp"

#include <istream>
#include <ostream>

#include "contract/shape/shape.hpp"
#include "pipeline.hpp"

namespace svc::pipeline {
namespace {

bool shape_broken(const std::string& text) {
    diag::Findings findings;
    auto value = contract::read_json(text, findings);
    if (value) contract::check_shape(*value, contract::contract_shape(), findings);
    return findings.has_errors();
}

}  // namespace

void check_lines(std::istream& in, std::ostream& out, const std::string& database) {
    for (std::string line; std::getline(in, line);) {
        out << (shape_broken(line) ? "shape" : "fine");
        const pipeline::Checked checked = pipeline::check(line, database);
        for (const diag::Finding& finding : checked.findings.all()) {
            const bool error = finding.severity == diag::Severity::error;
            out << '\t' << (error ? "error:" : "warning:") << finding.code << ':' << finding.path;
        }
        out << '\n';
    }
}

}  // namespace svc::pipeline
