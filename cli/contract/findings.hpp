// A check report beside the text that it speaks of.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "diag/finding.hpp"

namespace svc::cli {

// A contract file as it is sent: without a byte-order mark.
struct ContractFile {
    std::string name;
    std::string text;
};

// The findings of {ok, errors, fixes, warnings}, placed in `text` and in its order.
diag::Findings findings_of(const nlohmann::json& report, std::string_view text);

// The syntax error of `text`; nothing if it is JSON.
std::optional<diag::Finding> syntax_error(std::string_view text);

// Shows findings as compilers do, each with its line, a caret and its fix, then the report's other
// fixes and the count.
void show_report(const nlohmann::json& report, const ContractFile& file);

// A report of this one finding, in the service's form.
nlohmann::json report_of(const diag::Finding& finding);

// "2 errors, 1 warning"; empty if there are none.
std::string count_line(const diag::Findings& findings);

}  // namespace svc::cli
