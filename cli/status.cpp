// status
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// "interrupted at migrated, gone forwards" where its holder was gone; else its stage or error.
std::string how(const json& run) {
    const std::string recovered = text_of(run, "recovered"), stage = text_of(run, "stage");
    if (!recovered.empty()) return "interrupted at stage " + stage + ", gone " + recovered;
    if (text_of(run, "status") == "running") return "at stage " + stage;
    std::string error = text_of(run, "error");
    return error.substr(0, error.find('\n'));
}

Table table_of_applies(const json& runs) {
    Table table{{"started", "what", "status", "version", ""}, {}, {}};
    for (const json& run : runs) {
        const json version = run.value("version", json());
        table.rows.push_back({text_of(run, "startedAt"), text_of(run, "kind"),
                              text_of(run, "status"), version.is_null() ? "" : version.dump(),
                              how(run)});
    }
    return table;
}

int status(Session& session) {
    const std::string id = session.project();
    if (id.empty()) return kUsage;
    const auto answer = session.accept(session.call("Asking", {.path = project_path(id)}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const json dev = answer->value("/environments/dev"_json_pointer, json::object());
    const json version = dev.value("contractVersion", json());
    print(text_of(answer->value("project", json::object()), "name") + ": " +
          (version.is_null() ? "nothing applied yet"
                             : "version " + version.dump() +
                                   (dev.value("live", false) ? ", live at " : ", not live; ") +
                                   text_of(dev, "url")) +
          "\n");
    const json state = answer->value("state", json::object());
    if (const std::string error = text_of(state, "lastError"); !error.empty())
        print("Last error: " + printable(error) + "\n");
    const Table runs = table_of_applies(state.value("applies", json::array()));
    if (!runs.rows.empty()) print("\n" + layout(runs, terminal_width()));
    return kDone;
}

}  // namespace

void add_status_command(CLI::App& app, Action& chosen) {
    app.add_subcommand("status", "What is live, and how the last applies ended")
        ->callback([&chosen] { chosen = status; });
}

}  // namespace svc::cli
