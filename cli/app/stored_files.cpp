// files list, check
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostFiles = 200;

struct FilesOptions {
    std::string state, env;
    int limit = 0;
};

// "1 file", "2 files".
std::string counted(const json& total, const char* member, const std::string& one) {
    const auto number = total.value(member, std::int64_t{0});
    return std::to_string(number) + ' ' + one + (number == 1 ? "" : "s");
}

int list_files(CliContext& context, const FilesOptions& options) {
    const std::string rest = "/files" + query_text({{"state", options.state},
                                                    {"limit", limit_text(options.limit)},
                                                    {"env", options.env}});
    const bool all = options.state.empty();
    return show(context, rest, [all](const json& answer) {
        if (answer.value("files", json::array()).empty())
            print(all ? "Nothing was uploaded.\n" : "There are no such files.\n");
        print_list(answer, "files", {"id", "name", "mime", "size", "state", "held", "createdAt"});
        const json total = answer.value("total", json::object());
        print("Stored: " + counted(total, "files", "file") + " of " +
              counted(total, "bytes", "byte") + ".\n");
    });
}

std::size_t how_many(const json& answer, const char* list) {
    return answer.value(json::json_pointer(std::string("/") + list + "/count"), std::size_t{0});
}

void print_found(const json& answer) {
    const std::size_t missing = how_many(answer, "missing"), unknown = how_many(answer, "unknown");
    if (missing > 0) {
        print("Files without bytes: " + std::to_string(missing) +
              ". Take them from a backup of the data folder or of the bucket.\n");
        print_list(answer["missing"], "files", {"id", "name"});
    }
    if (unknown > 0) {
        print("Bytes without a file: " + std::to_string(unknown) +
              ". The database knows nothing of them; they may be removed.\n");
        print_list(answer["unknown"], "files", {"id", "size"});
    }
    if (missing + unknown == 0)
        print("Every stored file has its bytes, and all bytes belong to a file.\n");
}

// Exits as a check does that found something.
int check_files(CliContext& context, const FilesOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string path =
        project_path(project, "/files/check") + query_text({{"env", options.env}});
    const auto answer = context.accept(context.call("Reading", {.path = path}));
    if (!answer) return kRefused;
    if (!context.wants_json()) print_found(*answer);
    return how_many(*answer, "missing") + how_many(*answer, "unknown") == 0 ? kDone : kRefused;
}

}  // namespace

void add_files_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<FilesOptions>();
    auto* family = app.add_subcommand("files", "Show files that people uploaded to the app");
    family->require_subcommand(1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(CliContext&, const FilesOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    auto* list = family->add_subcommand("list", "List files, newest first");
    list->add_option("--state", options->state, "Only files in this state")
        ->check(CLI::IsMember({"signed", "uploading", "stored", "deleted"}));
    list->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostFiles));
    take_environment(list, options->env)->callback(choose(list_files));
    auto* check =
        family->add_subcommand("check", "Find files without bytes, and stored bytes without a row");
    take_environment(check, options->env)->callback(choose(check_files));
    for (CLI::App* command : {list, check}) command->fallthrough();
}

}  // namespace svc::cli
