// client, openapi: what callers of the live app are made with
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr const char* kClientFolder = "client";

// Below the folder and nowhere else, whatever the service calls it.
bool stays_below(const std::filesystem::path& path) {
    if (path.empty() || path.is_absolute()) return false;
    for (const auto& part : path)
        if (part == "..") return false;
    return true;
}

int get_client(CliContext& context, const std::string& folder) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer =
        context.accept(context.call("Getting", {.path = project_path(project, "/client")}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    std::size_t count = 0;
    const json files = answer->value("files", json::object());
    for (const auto& [name, text] : files.items()) {
        if (!text.is_string() || !stays_below(name)) continue;
        write_file(std::filesystem::path(folder) / name, text.get_ref<const std::string&>(),
                   FileAccess::usual);
        ++count;
    }
    print("Wrote " + std::to_string(count) + " files of version " +
          answer->value("version", json()).dump() + " to " + folder + ".\n");
    return kDone;
}

int get_openapi(CliContext& context, const std::string& file) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const Reply reply = context.call("Getting", {.path = project_path(project, "/openapi")});
    if (!reply.ok()) {
        context.show_refusal(reply);
        return kRefused;
    }
    if (file.empty() || file == "-" || context.wants_json()) {
        print(reply.body);
        return kDone;
    }
    write_file(file, reply.body, FileAccess::usual);
    print("Wrote " + file + ".\n");
    return kDone;
}

}  // namespace

void add_live_file_commands(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>(kClientFolder);
    auto* client = app.add_subcommand("client", "Write the typed client of the live app");
    client->add_option("--out", *folder, "The folder to write to (default client)")
        ->type_name(kFile);
    client->callback([&chosen, folder] {
        chosen = [folder](CliContext& context) { return get_client(context, *folder); };
    });
    auto file = std::make_shared<std::string>();
    auto* openapi = app.add_subcommand("openapi", "Write the OpenAPI document of the live app");
    openapi->add_option("--out", *file, "The file to write to (default: standard output)")
        ->type_name(kFile);
    openapi->callback([&chosen, file] {
        chosen = [file](CliContext& context) { return get_openapi(context, *file); };
    });
}

}  // namespace svc::cli
