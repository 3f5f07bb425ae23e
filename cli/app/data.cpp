// query
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/envelope.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostRows = 200;
constexpr int kUsualRows = 50;

struct Query {
    std::string table;
    std::vector<std::string> where;
    int limit = kUsualRows;
};

std::string no_equality(const std::string& clause) {
    const auto sign = clause.find('=');
    return sign == std::string::npos || sign == 0 ? "\"" + clause + "\" is not column=value." : "";
}

// Values go as text, which the database reads as the column's own type; null alone is not a text.
json where_of(const std::vector<std::string>& clauses) {
    json where = json::object();
    for (const auto& clause : clauses) {
        const auto sign = clause.find('=');
        const std::string value = clause.substr(sign + 1);
        where[clause.substr(0, sign)] = value == "null" ? json() : json(value);
    }
    return where;
}

int query(CliContext& context, const Query& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const json body = {
        {"table", options.table}, {"where", where_of(options.where)}, {"limit", options.limit}};
    const auto answer = context.accept(context.call(
        "Reading",
        {.method = "POST", .path = project_path(project, "/data/query"), .body = body.dump()}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print_rows(*answer, " (--limit)");
    return kDone;
}

}  // namespace

void add_data_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<Query>();
    auto* command = app.add_subcommand("query", "Show rows of a table of the dev environment");
    command->add_option("table", options->table, "Name of the table")->required();
    command
        ->add_option(
            "--where", options->where,
            "Only rows with this column=value; repeat it for more conditions, which must all match")
        ->allow_extra_args(false)
        ->check(no_equality);
    command->add_option("--limit", options->limit, "How many rows to show at most")
        ->check(CLI::Range(1, kMostRows));
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return query(context, *options); };
    });
}

}  // namespace svc::cli
