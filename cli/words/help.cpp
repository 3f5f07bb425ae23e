// docs, version
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"

namespace svc::cli {
namespace {

int docs(CliContext& context) {
    const Reply reply = context.call("Asking", {.path = "/docs"});
    if (!reply.ok()) {
        context.show_refusal(reply);
        return kRefused;
    }
    print(context.wants_json() ? reply.body : printable(reply.body, true));
    return kDone;
}

int version(CliContext&) {
    print(std::string(kVersionLine) + "\n");
    return kDone;
}

}  // namespace

void add_help_commands(CLI::App& app, Action& chosen) {
    app.add_subcommand("docs", "Print the guide for authors of contracts, as Markdown")
        ->callback([&chosen] { chosen = docs; });
    app.add_subcommand("version", "Print this client's version")->callback([&chosen] {
        chosen = version;
    });
}

}  // namespace svc::cli
