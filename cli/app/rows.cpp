// rows, schema
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "base/parts.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/row_history.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct RowsOptions {
    std::string op, table, data, id, ids, patch, as, env;
    std::string limit, before;  // of a history
};

// Leaves out empty ones.
std::vector<std::string> listed(const std::string& list) {
    std::vector<std::string> out;
    for (const std::string_view one : base::split(list, ','))
        if (!one.empty()) out.emplace_back(one);
    return out;
}

std::optional<json> rows_body(const CliContext& context, const RowsOptions& options) {
    json body = {{"op", options.op}, {"table", options.table}};
    if (!options.id.empty()) body["id"] = options.id;
    if (!options.ids.empty()) body["ids"] = listed(options.ids);
    if (!options.as.empty()) body["as"] = options.as;
    if (!options.env.empty()) body["env"] = options.env;
    for (const auto& [name, given] : {std::pair{"data", options.data}, {"patch", options.patch}}) {
        if (given.empty()) continue;
        auto value = json_argument(context, given, (std::string("--") + name).c_str());
        if (!value) return std::nullopt;
        body[name] = std::move(*value);
    }
    return body;
}

Table table_of_results(const json& results) {
    Table table{{"row", "", ""}, {}, {}};
    for (const json& result : results) {
        const json error = result.value("error", json::object());
        const std::string field = text_of(error, "field"), id = text_of(result, "id");
        table.rows.push_back({id.empty() ? "-" : id,
                              result.value("ok", false) ? "ok" : text_of(error, "code"),
                              (field.empty() ? "" : field + ": ") + text_of(error, "message")});
    }
    return table;
}

// The missing option of the operation, or nothing.
const char* missing(const RowsOptions& options) {
    if (options.op == "insert") return options.data.empty() ? "--data" : nullptr;
    if (options.op == "history") return options.id.empty() ? "the row's id" : nullptr;
    if (options.id.empty() && options.ids.empty()) return "--id or --ids";
    return options.op == "update" && options.patch.empty() ? "--patch" : nullptr;
}

int write_rows(CliContext& context, const RowsOptions& options) {
    if (const char* what = missing(options)) {
        context.refuse("svc rows " + options.op + " needs " + what + ".", "BAD_REQUEST");
        return kUsage;
    }
    if (options.op == "history")
        return show_history(
            context, {options.table, options.id, options.limit, options.before, options.env});
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto body = rows_body(context, options);
    if (!body) return kUsage;
    const auto answer = context.accept(context.call(
        "Writing",
        {.method = "POST", .path = project_path(project, "/rows"), .body = body->dump()}));
    if (!answer) return kRefused;
    if (!context.wants_json())
        print(layout(table_of_results(answer->value("results", json::array())), terminal_width()));
    return answer->value("ok", false) ? kDone : kRefused;
}

std::string count_of(const json& table, const char* what) {
    return std::to_string(table.value(what, json::array()).size());
}

int show_schema(CliContext& context, const std::string& env) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(context.call(
        "Reading", {.path = project_path(project, "/schema") + query_text({{"env", env}})}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    for (const json& table : answer->value("tables", json::array())) {
        print(text_of(table, "name") +
              (table.value("managed", false) ? "" : " (not in the contract)") + "\n");
        Table columns{{"  column", "type", "null", "default"}, {}, {}};
        for (const json& column : table.value("columns", json::array()))
            columns.rows.push_back({"  " + text_of(column, "name"), text_of(column, "type"),
                                    column.value("nullable", false) ? "yes" : "no",
                                    text_of(column, "default")});
        print(layout(columns, terminal_width()));
        print("  " + count_of(table, "foreignKeys") + " foreign keys, " +
              count_of(table, "indexes") + " indexes, " + count_of(table, "policies") +
              " policies\n\n");
    }
    print(count_of(*answer, "views") + " views, " + count_of(*answer, "functions") +
          " functions, " + count_of(*answer, "triggers") + " triggers (--json shows them)\n");
    return kDone;
}

void add_rows(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<RowsOptions>();
    auto* command = app.add_subcommand(
        "rows", "Write rows one by one through the app's rules, or show the history of a row");
    command->add_option("op", options->op, "insert, update, delete, restore or history")
        ->required()
        ->check(CLI::IsMember({"insert", "update", "delete", "restore", "history"}));
    command->add_option("table", options->table, "Name of the table")->required();
    command->add_option("--data", options->data,
                        "For insert: JSON of one row or a list of rows, or @file");
    command->add_option("id,--id", options->id,
                        "For update, delete, restore and history: the id of the row");
    command->add_option("--ids", options->ids,
                        "For update, delete and restore: ids of rows, separated by commas");
    command->add_option("--patch", options->patch,
                        "For update: JSON of the columns to change, or @file");
    command->add_option("--as", options->as,
                        "Who writes: admin, a persona or an account's e-mail address");
    command->add_option("--limit", options->limit, "For history: how many entries (default 50)");
    command->add_option("--before", options->before,
                        "For history: only entries older than this one");
    take_environment(command, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return write_rows(context, *options); };
    });
}

}  // namespace

void add_row_commands(CLI::App& app, Action& chosen) {
    add_rows(app, chosen);
    auto env = std::make_shared<std::string>();
    auto* schema =
        app.add_subcommand("schema", "Show tables, keys, policies and triggers of the database");
    take_environment(schema, *env)->callback([&chosen, env] {
        chosen = [env](CliContext& context) { return show_schema(context, *env); };
    });
}

}  // namespace svc::cli
