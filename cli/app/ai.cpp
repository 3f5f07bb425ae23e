// ai usage
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostDays = 90;

struct AiOptions {
    std::string env;
    int days = 0;
};

void show_models(const json& days) {
    Table table{{"day", "what", "model", "calls", "failed", "prompt", "answer", ""},
                {},
                {false, false, false, true, true, true, true, false}};
    for (const json& day : days)
        for (const json& one : day.value("models", json::array()))
            table.rows.push_back({text_of(day, "day"), text_of(one, "kind"), text_of(one, "model"),
                                  cell_of(one.value("calls", json())),
                                  cell_of(one.value("failed", json())),
                                  cell_of(one.value("promptTokens", json())),
                                  cell_of(one.value("completionTokens", json())),
                                  one.value("estimated", false) ? "partly estimated" : ""});
    print(layout(table, terminal_width()));
}

void show_days(const json& days) {
    Table table{{"day", "spent", "reserved"}, {}, {false, true, true}};
    for (const json& day : days)
        table.rows.push_back({text_of(day, "day"), cell_of(day.value("spent", json())),
                              cell_of(day.value("reserved", json()))});
    print(layout(table, terminal_width()));
}

int show_usage(CliContext& context, const AiOptions& options) {
    const std::string rest =
        "/ai/usage" + query_text({{"days", limit_text(options.days)}, {"env", options.env}});
    return show(context, rest, [](const json& answer) {
        const json days = answer.value("days", json::array());
        if (days.empty()) return print("No model has been asked in these days.\n");
        show_models(days);
        show_days(days);
    });
}

}  // namespace

void add_ai_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<AiOptions>();
    auto* family = app.add_subcommand("ai", "Show what the app's models used");
    family->require_subcommand(1)->fallthrough();
    auto* usage = family->add_subcommand("usage", "Show tokens used, by day and model");
    usage->add_option("--days", options->days, "How many days; the default is 7")
        ->check(CLI::Range(1, kMostDays));
    take_environment(usage, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return show_usage(context, *options); };
    });
    usage->fallthrough();
}

}  // namespace svc::cli
