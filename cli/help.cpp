// docs, version
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"

namespace svc::cli {
namespace {

int docs(Session& session) {
    const Reply reply = session.call("Asking", {.path = "/docs"});
    if (!reply.ok()) {
        session.show_refusal(reply);
        return kRefused;
    }
    print(session.wants_json() ? reply.body : printable(reply.body, true));
    return kDone;
}

int version(Session&) {
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
