// audit
#include <CLI/CLI.hpp>
#include <memory>

#include "base/percent.hpp"
#include "cli/account/chosen_workspace.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct AuditOptions {
    std::string workspace;
    int limit = 50;
};

std::string outcome_of(const json& entry) {
    const auto status = entry.find("status");
    const std::string code = text_of(entry, "code");
    const std::string number = status != entry.end() && status->is_number_integer()
                                   ? std::to_string(status->get<int>())
                                   : "";
    return number + (code.empty() ? "" : " " + code);
}

int audit(CliContext& context, const AuditOptions& options) {
    const std::string workspace = chosen_workspace(context, getter(context), options.workspace);
    if (workspace.empty()) return kRefused;
    const auto answer = context.accept(
        context.call("Asking", {.path = "/workspaces/" + base::percent_encoded(workspace) +
                                        "/audit?limit=" + std::to_string(options.limit)}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"at", "who", "what", "target", "from", "outcome"}, {}, {}};
    for (const json& entry : answer->value("entries", json::array())) {
        table.rows.push_back({text_of(entry, "at"), text_of(entry, "email"),
                              text_of(entry, "action"), text_of(entry, "target"),
                              text_of(entry, "address"), outcome_of(entry)});
    }
    print(table.rows.empty() ? "The log has no entries.\n" : layout(table, terminal_width()));
    return kDone;
}

}  // namespace

void add_audit_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<AuditOptions>();
    auto* command = app.add_subcommand(
        "audit", "Show what members of a workspace did (owners and admins only)");
    command->add_option("--workspace", options->workspace,
                        "The workspace's name or id (default: the first one)");
    command->add_option("--limit", options->limit, "How many entries to show, newest first")
        ->check(CLI::Range(1, 200));
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return audit(context, *options); };
    });
}

}  // namespace svc::cli
