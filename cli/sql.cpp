// sql, rows, schema
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include "base/parts.hpp"
#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/envelope.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/row_history.hpp"
#include "cli/sql_words.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct SqlOptions {
    std::string sql, file, env;
    bool yes = false;
};

// None: the command line is wrong, which it has said.
std::optional<std::string> sql_of(const CliContext& context, const SqlOptions& options) {
    if (options.sql.empty() == options.file.empty()) {
        context.refuse(
            "Give the SQL statement, or --file <file.sql>; --file - reads standard input.",
            "BAD_REQUEST");
        return std::nullopt;
    }
    if (options.file.empty()) return options.sql;
    if (options.file == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    auto text = read_file(options.file);
    if (!text) context.refuse("There is no file \"" + options.file + "\".", "BAD_REQUEST");
    return text;
}

// The line of the SQL that PostgreSQL points at, with a mark below the place.
void show_place(const std::string& sql, const std::string& refusal) {
    const json error = json::parse(refusal, nullptr, false);
    if (!error.is_object()) return;
    std::size_t left = error.value("position", std::size_t{0}), byte = 0;
    if (left == 0) return;
    for (; left > 1 && byte < sql.size(); --left) {
        ++byte;
        while (byte < sql.size() && base::continues_character(sql[byte])) ++byte;
    }
    const std::size_t before = byte == 0 ? std::string::npos : sql.rfind('\n', byte - 1);
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    const std::string line = sql.substr(start, sql.find('\n', start) - start);
    const std::string lead = printable(line.substr(0, byte - start));
    std::fprintf(stderr, "  %s\n  %s^\n", printable(line).c_str(),
                 std::string(shown_width(lead), ' ').c_str());
}

int run_sql(CliContext& context, const SqlOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto sql = sql_of(context, options);
    if (!sql) return kUsage;
    if (options.env == "prod" && may_write(*sql)) {
        const int end = confirm(
            context, "This may write to prod, past the policies. A snapshot is taken first.",
            options.yes);
        if (end != kDone) return end;
    }
    json body = {{"sql", *sql}};
    if (!options.env.empty()) body["env"] = options.env;
    const Reply reply = context.call(
        "Running", {.method = "POST", .path = project_path(project, "/sql"), .body = body.dump()});
    const auto answer = context.accept(reply);
    if (!answer && !context.wants_json()) show_place(*sql, reply.body);
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    bool first = true;
    for (const json& result : answer->value("results", json::array())) {
        if (!std::exchange(first, false)) print("\n");
        print_rows(result, "");
    }
    return kDone;
}

struct RowsOptions {
    std::string op, table, data, id, ids, patch, as, env;
    std::string limit, before;  // of a history
};

// Without empty ones.
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

void add_sql(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<SqlOptions>();
    auto* command =
        app.add_subcommand("sql", "Run statements in one transaction, past the policies");
    command->add_option("sql", options->sql, "The statements");
    command
        ->add_option("--file", options->file, "A file with the statements; - reads standard input")
        ->type_name(kFile);
    take_yes(command, options->yes);
    take_environment(command, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return run_sql(context, *options); };
    });
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

void add_sql_commands(CLI::App& app, Action& chosen) {
    add_sql(app, chosen);
    add_rows(app, chosen);
    auto env = std::make_shared<std::string>();
    auto* schema =
        app.add_subcommand("schema", "Show tables, keys, policies and triggers of the database");
    take_environment(schema, *env)->callback([&chosen, env] {
        chosen = [env](CliContext& context) { return show_schema(context, *env); };
    });
}

}  // namespace svc::cli
