// sql
#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include "base/utf8.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/sql_words.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"
#include "cli/words/command_tree.hpp"

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

}  // namespace

void add_sql_command(CLI::App& app, Action& chosen) {
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

}  // namespace svc::cli
