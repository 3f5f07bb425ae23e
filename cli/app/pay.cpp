// pay list, show, end
#include <CLI/CLI.hpp>
#include <memory>

#include "base/percent.hpp"
#include "cli/app/envelope.hpp"
#include "cli/app/listing.hpp"
#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostPayments = 200;

struct PayOptions {
    std::string id, status, order, note, env;
    int limit = 0;
    bool yes = false;
};

int list_payments(CliContext& context, const PayOptions& options) {
    const std::string rest = "/payments" + query_text({{"status", options.status},
                                                       {"order", options.order},
                                                       {"limit", limit_text(options.limit)},
                                                       {"env", options.env}});
    const bool all = options.status.empty() && options.order.empty();
    return show(context, rest, [all](const json& answer) {
        if (answer.value("payments", json::array()).empty())
            print(all ? "There are no payments.\n" : "There are no such payments.\n");
        print_list(answer, "payments",
                   {"id", "orderId", "method", "status", "latest", "amountCents", "currency",
                    "createdAt"});
    });
}

void print_payment(json payment) {
    Table facts{{"field", "value"}, {}, {}};
    for (const auto& [name, value] : payment.items())
        if (name != "lines" && name != "events" && !value.is_null())
            facts.rows.push_back({name, cell_of(value)});
    print(layout(facts, terminal_width()));
    payment.erase("note");  // a list would show it again
    print_list(payment, "lines", {"id", "item", "quantity", "price", "amount"});
    print_list(payment, "events", {"at", "status", "what", "detail"});
}

int show_payment(CliContext& context, const PayOptions& options) {
    const std::string rest =
        "/payments/" + base::percent_encoded(options.id) + query_text({{"env", options.env}});
    return show(context, rest,
                [](const json& answer) { print_payment(answer.value("payment", json::object())); });
}

int end_payment(CliContext& context, const PayOptions& options) {
    const int end =
        confirm(context,
                "This records the payment " + options.id +
                    " as failed, and does not ask the card provider. If the customer has paid "
                    "there, or still does, the money stays at the provider.",
                options.yes);
    if (end != kDone) return end;
    json body = json::object();
    if (!options.note.empty()) body["note"] = options.note;
    if (!options.env.empty()) body["env"] = options.env;
    return send(
        context, "/payments/" + base::percent_encoded(options.id) + "/end", body,
        [](const json& answer) {
            print("Ended " + text_of(answer, "ended") + ". The order can be checked out again.\n");
        });
}

}  // namespace

void add_pay_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<PayOptions>();
    auto* family = app.add_subcommand("pay", "Show payments of orders, and end one");
    family->require_subcommand(1)->fallthrough();
    const auto choose = [&chosen, options](int (*act)(CliContext&, const PayOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    auto* list = family->add_subcommand("list", "List payments, newest first");
    list->add_option("--status", options->status, "Only payments with this status")
        ->check(CLI::IsMember({"due", "processing", "paid", "failed"}));
    list->add_option("--order", options->order, "Only payments of the order with this id");
    list->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostPayments));
    take_environment(list, options->env)->callback(choose(list_payments));
    auto* one = family->add_subcommand("show", "Show a payment, its lines and its history");
    one->add_option("id", options->id, "Id of the payment")->required();
    take_environment(one, options->env)->callback(choose(show_payment));
    auto* stop = family->add_subcommand(
        "end", "Record a card payment as failed that the card provider no longer knows");
    stop->add_option("id", options->id, "Id of the payment")->required();
    stop->add_option("--note", options->note, "Why; the customer reads it");
    take_yes(stop, options->yes);
    take_environment(stop, options->env)->callback(choose(end_payment));
    for (CLI::App* command : {list, one, stop}) command->fallthrough();
}

}  // namespace svc::cli
