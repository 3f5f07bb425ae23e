// projects, create, link
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/short_id.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

int list_projects(CliContext& context) {
    const auto answer = context.accept(context.call("Asking", {.path = "/projects"}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"name", "slug", "updated", "id"}, {}, {}};
    for (const json& project : answer->value("projects", json::array())) {
        table.rows.push_back({text_of(project, "name"), text_of(project, "slug"),
                              text_of(project, "updated_at"), text_of(project, "id")});
    }
    print(table.rows.empty() ? "No projects yet. Create one with svc create <name>\n"
                             : layout(table, terminal_width()));
    return kDone;
}

void link_here(const CliContext& context, const ProjectLink& link) {
    const auto here = std::filesystem::current_path();
    const auto before = find_link(here);
    const bool same = before && before->project == link.project && before->folder == here;
    write_link(here, {link.project, link.name, same ? before->bases : decltype(link.bases){}});
    if (!context.wants_json()) {
        print("This folder is linked to " + link.name + " (" + link.project + ").\n");
    }
}

// A folder has one project: another one would take its place.
bool is_free(const CliContext& context) {
    const auto here = std::filesystem::current_path();
    const auto link = find_link(here);
    if (!link || link->folder != here) return true;
    context.refuse("This folder is already linked to " + printable(link->name) + " (" +
                       printable(link->project) +
                       "). Create the new project in another folder. If this folder is to belong "
                       "to the new project, delete .svc/project.json first.",
                   "ALREADY_LINKED");
    return false;
}

int create(CliContext& context, const std::string& name) {
    if (!is_free(context)) return kRefused;
    const json body = {{"name", name}};
    const auto answer = context.accept(
        context.call("Creating", {.method = "POST", .path = "/projects", .body = body.dump()}));
    if (!answer) return kRefused;
    const json project = answer->value("project", json::object());
    link_here(context, {text_of(project, "id"), text_of(project, "name")});
    return kDone;
}

int link(CliContext& context, const std::string& given) {
    const auto whole = whole_id(context, given, {{"/projects"}, "projects", "project"});
    if (!whole) return kUsage;
    const std::string& id = *whole;
    const auto answer = context.accept(context.call("Asking", {.path = project_path(id)}));
    if (!answer) return kRefused;
    const json project = answer->value("project", json::object());
    link_here(context, {text_of(project, "id"), text_of(project, "name")});
    return kDone;
}

}  // namespace

void add_project_commands(CLI::App& app, Action& chosen) {
    app.add_subcommand("projects", "List your projects, newest first")->callback([&chosen] {
        chosen = list_projects;
    });

    auto name = std::make_shared<std::string>();
    auto* make = app.add_subcommand("create", "Create a project and link this folder to it");
    make->add_option("name", *name, "Name of the project")->required();
    make->callback([&chosen, name] {
        chosen = [name](CliContext& context) { return create(context, *name); };
    });

    auto id = std::make_shared<std::string>();
    auto* join = app.add_subcommand("link", "Link this folder to a project");
    join->add_option("project-id", *id,
                     "The id as svc projects shows it, or a unique beginning of it")
        ->required();
    join->callback(
        [&chosen, id] { chosen = [id](CliContext& context) { return link(context, *id); }; });
}

}  // namespace svc::cli
