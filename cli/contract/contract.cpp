// pull, check
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/trigger_words.hpp"
#include "cli/commands.hpp"
#include "cli/contract/base_version.hpp"
#include "cli/contract/contract_file.hpp"
#include "cli/contract/merge.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/terminal.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kShownValue = 200;  // columns of a value of a conflict

struct PullOptions {
    std::string file = kContractFile;
    bool force = false, merge = false, ours = false, theirs = false;
};

// Somebody's own changes: the file is neither what is about to be written nor what was got or made
// live before.
bool has_own_changes(const std::string& file, const std::string& text) {
    const auto here = read_file(file);
    return here && *here != text && *here != read_file(kPulled);
}

void show_side(const char* whose, const json& value) {
    print(std::string("    ") + whose +
          (value.is_null() ? "absent" : printable(fitted(value.dump(), kShownValue))) + "\n");
}

void show_conflicts(const json& conflicts) {
    for (const json& one : conflicts) {
        print("  " + text_of(one, "path") + "\n");
        show_side("before: ", one.value("base", json()));
        show_side("here:   ", one.value("mine", json()));
        show_side("live:   ", one.value("theirs", json()));
    }
}

int merge(CliContext& context, const std::string& project, const PullOptions& options) {
    const auto base = base_version(project, options.file);
    if (!base) {
        context.refuse("It is not known from which version " + options.file +
                           " started. Write the live contract beside it with svc pull live.json, "
                           "and merge both by hand.",
                       "BAD_REQUEST");
        return kRefused;
    }
    int exit_code = kDone;
    const auto file = load_json(context, options.file, FileContent::contract, exit_code);
    if (!file) return exit_code;
    const std::string prefer = options.ours ? "mine" : options.theirs ? "theirs" : "";
    const auto result = merge_file(context, project, *file, *base, prefer);
    if (result.end == MergeOutcome::failed) {
        context.show_refusal(result.reply);
    } else if (context.wants_json()) {
        print(result.reply.body);
    } else if (result.end == MergeOutcome::conflicts) {
        complain(options.file +
                 " and the live contract changed the same things in different ways. Nothing was "
                 "written.");
        show_conflicts(result.answer.value("conflicts", json::array()));
        print("Say whose changes win: svc pull --merge --ours, or svc pull --merge --theirs.\n");
    } else {
        print(options.file + " is now based on version " +
              result.answer.value("version", json()).dump() +
              (result.own ? " and has your changes. Make them live with svc apply\n" : ".\n"));
    }
    return result.end == MergeOutcome::merged ? kDone : kRefused;
}

int pull(CliContext& context, const PullOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string& file = options.file;
    if (options.merge && read_file(file)) return merge(context, project, options);
    const Reply reply =
        context.call("Pulling", {.path = project_path(project, "/contract") + "?seeds=1"});
    const auto answer = context.accept(reply);
    if (!answer) return kRefused;
    if (answer->value("contract", json()).is_null()) {
        if (!context.wants_json())
            complain("This project has no live contract yet. Apply one with svc apply.");
        return kRefused;
    }
    const std::string text = contract_text(reply.body);
    if (file == "-") {
        if (!context.wants_json()) print(text);
        return kDone;
    }
    if (!options.force && has_own_changes(file, text)) {
        complain(file +
                 " has changes that are not live. Merge both with svc pull --merge, or replace the "
                 "file with svc pull --force.");
        return kRefused;
    }
    write_file(file, text, FileAccess::usual);
    write_file(kPulled, text, FileAccess::usual);
    remember_base(project, file, answer->value("version", std::int64_t{0}));
    if (!context.wants_json()) print("Wrote " + file + ".\n");
    return kDone;
}

int check(CliContext& context, const std::string& name, bool exposure) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_json(context, name, FileContent::contract, exit_code);
    if (!file) return exit_code;
    const json options = exposure ? json{{"exposure", true}} : json::object();
    const auto answer =
        context.accept(context.call("Checking", {.method = "POST",
                                                 .path = project_path(project, "/check"),
                                                 .body = contract_body(*file, options)}));
    if (!answer) return kRefused;
    const json report = answer->value("report", json::object());
    const bool sound = report.value("errors", json::array()).empty();
    if (!context.wants_json()) {
        show_report(report, *file);
        if (exposure) print(printable(answer->value("table", std::string()), true));
        print(exposure_lines(*answer));
        print(schedule_lines(answer->value("schedules", json::array()), "workflow"));
        if (sound) print(name + " is valid.\n");
    }
    return sound ? kDone : kRefused;
}

}  // namespace

void add_contract_commands(CLI::App& app, Action& chosen) {
    auto pulling = std::make_shared<PullOptions>();
    auto* get = app.add_subcommand("pull", "Write the project's live contract into a file");
    get->add_option("file", pulling->file, "The file to write; - writes to standard output")
        ->type_name(kFile);
    auto* force = get->add_flag("--force", pulling->force,
                                "Replace the file even if it has changes that are not live");
    auto* together =
        get->add_flag("--merge", pulling->merge, "Merge the file's changes with the live contract");
    auto* ours = get->add_flag("--ours", pulling->ours,
                               "If both changed the same thing, keep the file's version");
    auto* theirs =
        get->add_flag("--theirs", pulling->theirs,
                      "If both changed the same thing, keep the live contract's version");
    force->excludes(together);
    ours->needs(together)->excludes(theirs);
    theirs->needs(together);
    get->callback([&chosen, pulling] {
        chosen = [pulling](CliContext& context) { return pull(context, *pulling); };
    });

    struct CheckOptions {
        std::string file = kContractFile;
        bool exposure = false;
    };
    auto checking = std::make_shared<CheckOptions>();
    auto* ask = app.add_subcommand("check", "Show what is wrong with the contract");
    ask->add_option("file", checking->file, "The contract's file")->type_name(kFile);
    ask->add_flag("--exposure", checking->exposure,
                  "Show who may do what to which rows and fields");
    ask->callback([&chosen, checking] {
        chosen = [checking](CliContext& context) {
            return check(context, checking->file, checking->exposure);
        };
    });
}

}  // namespace svc::cli
