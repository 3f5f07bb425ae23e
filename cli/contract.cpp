// pull, check
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/contract_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr const char* kPulled = ".svc/pulled.json";  // what the last pull wrote

// The contract as its author laid it out, or one member a line where it came on a single line.
std::string contract_text(const std::string& answer) {
    const auto text = member_text(answer, "contract");
    if (text.find('\n') == std::string_view::npos) return indented(text);
    return std::string(text) + "\n";
}

// Somebody's own changes: the file is neither what is about to be written nor what was pulled
// before.
bool has_own_changes(const std::string& file, const std::string& text) {
    const auto here = read_file(file);
    return here && *here != text && *here != read_file(kPulled);
}

int pull(Session& session, const std::string& file, bool force) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const Reply reply = session.call("Pulling", {.path = project_path(project, "/contract")});
    const auto answer = session.accept(reply);
    if (!answer) return kRefused;
    if (answer->value("contract", json()).is_null()) {
        if (!session.wants_json()) complain("Nothing has been applied to this project yet.");
        return kRefused;
    }
    const std::string text = contract_text(reply.body);
    if (file == "-") {
        if (!session.wants_json()) print(text);
        return kDone;
    }
    if (!force && has_own_changes(file, text)) {
        complain(file +
                 " has changes of its own. Keep them, or replace the file with svc pull --force.");
        return kRefused;
    }
    write_file(file, text, Access::usual);
    write_file(kPulled, text, Access::usual);
    if (!session.wants_json()) print("Wrote " + file + ".\n");
    return kDone;
}

int check(Session& session, const std::string& name, bool exposure) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_contract(session, name, exit_code);
    if (!file) return exit_code;
    const auto wishes =
        exposure ? std::vector<std::string>{"exposure"} : std::vector<std::string>{};
    const auto answer =
        session.accept(session.call("Checking", {.method = "POST",
                                                 .path = project_path(project, "/check"),
                                                 .body = contract_body(*file, wishes)}));
    if (!answer) return kRefused;
    const json report = answer->value("report", json::object());
    const bool sound = report.value("errors", json::array()).empty();
    if (!session.wants_json()) {
        show_report(report, *file);
        if (exposure) print(printable(answer->value("table", std::string()), true));
        print(exposure_lines(*answer));
        if (sound) print(name + " is valid.\n");
    }
    return sound ? kDone : kRefused;
}

}  // namespace

void add_contract_commands(CLI::App& app, Action& chosen) {
    struct Options {
        std::string file = kContractFile;
        bool force = false;
        bool exposure = false;
    };
    auto pulling = std::make_shared<Options>();
    auto* get = app.add_subcommand("pull", "Get the project's contract");
    get->add_option("file", pulling->file, "Where to; - writes to standard output")
        ->type_name(kFile);
    get->add_flag("--force", pulling->force, "Replace a file that has changes of its own");
    get->callback([&chosen, pulling] {
        chosen = [pulling](Session& session) {
            return pull(session, pulling->file, pulling->force);
        };
    });

    auto checking = std::make_shared<Options>();
    auto* ask = app.add_subcommand("check", "What is wrong with the contract");
    ask->add_option("file", checking->file, "The contract's file")->type_name(kFile);
    ask->add_flag("--exposure", checking->exposure,
                  "Show who may do what to which rows and fields");
    ask->callback([&chosen, checking] {
        chosen = [checking](Session& session) {
            return check(session, checking->file, checking->exposure);
        };
    });
}

}  // namespace svc::cli
