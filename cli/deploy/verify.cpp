// verify
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/deploy/staged_change.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

enum class Mark { passed, failed, not_run };

Mark mark_of(const json& check) {
    const json pass = check.value("pass", json());
    return !pass.is_boolean() ? Mark::not_run : pass.get<bool>() ? Mark::passed : Mark::failed;
}

const char* shown(Mark mark) {
    return mark == Mark::passed ? "✓" : mark == Mark::failed ? "✗" : "-";
}

// The first character of a line of the table, in its colour.
std::string coloured(const std::string& table) {
    if (!colours(Stream::out)) return table;
    std::string out = table;
    const auto paint = [&out](const std::string& mark, const char* colour) {
        const std::string painted = "\n" + std::string(colour) + mark + "\x1b[0m";
        for (auto at = out.find("\n" + mark); at != std::string::npos;
             at = out.find("\n" + mark, at + painted.size()))
            out.replace(at, 1 + mark.size(), painted);
    };
    paint("✓", "\x1b[32m");
    paint("✗", "\x1b[31m");
    return out;
}

Table table_of_checks(const json& checks) {
    Table table{{"", "check", "cases", "time", "what was checked"}, {}, {false, false, true, true}};
    for (const json& check : checks) {
        const json detail = check.value("detail", json::object());
        const Mark mark = mark_of(check);
        const std::string words = mark == Mark::not_run ? "not run: " + text_of(detail, "notRun")
                                                        : text_of(detail, "said");
        table.rows.push_back({shown(mark), text_of(check, "name"),
                              mark == Mark::not_run ? "" : detail.value("cases", json(0)).dump(),
                              duration(check.value("ms", 0.0)), words});
    }
    return table;
}

void show_details(const json& checks) {
    for (const json& check : checks) {
        const json detail = check.value("detail", json::object());
        const std::string name = text_of(check, "name");
        if (mark_of(check) == Mark::failed)
            print("\n" + std::string(shown(Mark::failed)) + " " + name + ", " +
                  detail.value("failures", json(1)).dump() + " of " +
                  detail.value("cases", json(0)).dump() +
                  " cases. The first: " + text_of(detail, "counterExample") + "\n");
        for (const json& finding : detail.value("findings", json::array()))
            if (finding.is_string() && finding != detail.value("counterExample", json()))
                print("  " + printable(finding.get<std::string>()) + "\n");
        const json warnings = detail.value("warnings", json::array());
        for (const json& warning : warnings)
            if (warning.is_string())
                print("warning, " + name + ": " + printable(warning.get<std::string>()) + "\n");
    }
}

int verify(CliContext& context) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto report =
        run_change(context, "Verifying",
                   {.method = "POST", .path = project_path(project, "/verify"), .body = "{}"});
    if (!report) return kRefused;
    const bool pass = report->value("pass", false);
    if (context.wants_json()) return pass ? kDone : kRefused;
    const json checks = report->value("checks", json::array());
    print(coloured(layout(table_of_checks(checks), terminal_width())));
    show_details(checks);
    print("\n" + text_of(*report, "summary") + "\n");
    return pass ? kDone : kRefused;
}

}  // namespace

void add_verify_command(CLI::App& app, Action& chosen) {
    app.add_subcommand("verify",
                       "Test the live app against its contract, on a temporary clone of its "
                       "database; exit code 0 only if it passes")
        ->callback([&chosen] { chosen = verify; });
}

}  // namespace svc::cli
