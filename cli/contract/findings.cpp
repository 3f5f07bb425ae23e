#include "cli/contract/findings.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/context.hpp"
#include "cli/terminal.hpp"
#include "diag/json_mistake.hpp"
#include "diag/source_map.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

int number_of(const json& object, const char* key) {
    const auto member = object.find(key);
    return member != object.end() && member->is_number_integer() ? member->get<int>() : 0;
}

// The service read the same bytes, so its own place holds where it gives one: it may be finer than
// the path's, inside an expression.
void place(diag::Finding& finding, const diag::SourceMap& map) {
    if (finding.line > 0 && finding.column > 0) return;
    const diag::Position here = map.find(finding.path);
    finding.line = here.line;
    finding.column = here.column;
}

void collect(const json& report, const char* key, diag::Severity severity,
             const diag::SourceMap& map, diag::Findings& findings) {
    const auto list = report.find(key);
    if (list == report.end() || !list->is_array()) return;
    for (const json& item : *list) {
        if (!item.is_object()) continue;
        diag::Finding finding;
        finding.severity = severity;
        finding.code = text_of(item, "code");
        finding.path = text_of(item, "path");
        finding.line = number_of(item, "line");
        finding.column = number_of(item, "column");
        finding.message = text_of(item, "message");
        finding.fix = text_of(item, "fix");
        place(finding, map);
        findings.add(std::move(finding));
    }
}

std::string counted(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Fixes of the report that no finding carries itself.
void show_other_fixes(const json& report, const diag::Findings& findings) {
    const auto fixes = report.find("fixes");
    if (fixes == report.end() || !fixes->is_array()) return;
    for (const json& fix : *fixes) {
        if (!fix.is_string()) continue;
        const std::string text = printable(fix.get_ref<const std::string&>());
        if (text.empty()) continue;
        const bool already_named = std::any_of(
            findings.all().begin(), findings.all().end(), [&text](const diag::Finding& finding) {
                return !finding.fix.empty() && text.find(finding.fix) != std::string::npos;
            });
        if (!already_named) print("fix: " + text + "\n");
    }
}

}  // namespace

diag::Findings findings_of(const json& report, std::string_view text) {
    const diag::SourceMap map(text);
    diag::Findings findings;
    collect(report, "errors", diag::Severity::error, map, findings);
    collect(report, "warnings", diag::Severity::warning, map, findings);
    findings.sort();
    return findings;
}

std::optional<diag::Finding> syntax_error(std::string_view text) {
    try {
        [[maybe_unused]] const json document = json::parse(text.begin(), text.end());
        return std::nullopt;
    } catch (const json::parse_error& error) {
        return diag::json_mistake(text, error.byte, printable(error.what()));
    } catch (const json::exception&) {
        return std::nullopt;  // a number too large: the service names its place
    }
}

void show_report(const json& report, const ContractFile& file) {
    const diag::Findings findings = findings_of(report, file.text);
    for (const diag::Finding& finding : findings.all()) {
        std::string shown = diag::render(finding, file.name, file.text, colours(Stream::out));
        if (shown.empty() || shown.back() != '\n') shown += '\n';
        print(shown);
    }
    show_other_fixes(report, findings);
    if (const auto count = count_line(findings); !count.empty()) print(count + "\n");
}

json report_of(const diag::Finding& finding) {
    const json error = {{"code", finding.code},       {"path", finding.path},
                        {"line", finding.line},       {"column", finding.column},
                        {"message", finding.message}, {"fix", finding.fix}};
    return {{"ok", false},
            {"errors", json::array({error})},
            {"fixes", json::array({finding.fix})},
            {"warnings", json::array()}};
}

std::string count_line(const diag::Findings& findings) {
    const auto& all = findings.all();
    const auto errors =
        static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& finding) {
            return finding.severity == diag::Severity::error;
        }));
    const std::size_t warnings = all.size() - errors;
    std::string line;
    if (errors > 0) line = counted(errors, "error");
    if (warnings > 0) line += (line.empty() ? "" : ", ") + counted(warnings, "warning");
    return line;
}

}  // namespace svc::cli
