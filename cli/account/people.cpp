// mail, sign-in, demo-reset, mcp-config
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/confirm.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kMostMails = 200;

struct MailOptions {
    std::string to, env;
    int limit = 0;
    bool text = false;
};

// Each as its reader gets it.
void print_mails(const json& mails) {
    for (const json& one : mails)
        print(text_of(one, "createdAt") + "\nTo: " + text_of(one, "to") + "\nSubject: " +
              text_of(one, "subject") + "\n\n" + printable(one.value("text", ""), true) + "\n\n");
}

std::optional<json> ask(CliContext& context, const std::string& project, const Request& request) {
    Request call = request;
    call.path = project_path(project, request.path);
    return context.accept(context.call("Asking", call));
}

int mail(CliContext& context, const MailOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string limit = options.limit == 0 ? "" : std::to_string(options.limit);
    const auto answer =
        ask(context, project,
            {.path = "/mail" +
                     query_text({{"to", options.to}, {"limit", limit}, {"env", options.env}})});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    if (options.text) {
        print_mails(answer->value("mails", json::array()));
        return kDone;
    }
    Table table{{"when", "to", "subject", "link"}, {}, {}};
    for (const json& one : answer->value("mails", json::array())) {
        const json links = one.value("links", json::array());
        table.rows.push_back(
            {text_of(one, "createdAt"), text_of(one, "to"), text_of(one, "subject"),
             links.empty() || !links[0].is_string() ? "" : printable(links[0].get<std::string>())});
    }
    print(table.rows.empty() ? "No mail.\n" : layout(table, terminal_width()));
    return kDone;
}

int list_sign_ins(CliContext& context, const std::string& project) {
    const auto answer = ask(context, project, {.path = "/sign-in"});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"as", "persona", "name"}, {}, {}};
    for (const json& one : answer->value("signIns", json::array()))
        table.rows.push_back({text_of(one, "as"), text_of(one, "persona"), text_of(one, "name")});
    print(layout(table, terminal_width()));
    return kDone;
}

int sign_in(CliContext& context, const std::string& as) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    if (as.empty()) return list_sign_ins(context, project);
    const auto answer = ask(
        context, project, {.method = "POST", .path = "/sign-in", .body = json{{"as", as}}.dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(*answer, "url") + "\n");  // alone, so that scripts can take it
    std::fflush(stdout);
    std::fprintf(stderr, "The link works once, until %s.\n", text_of(*answer, "expiresAt").c_str());
    return kDone;
}

int demo_reset(CliContext& context, bool status, bool yes) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const int end = status ? kDone
                           : confirm(context,
                                     "This deletes all rows of the contract's tables on dev and "
                                     "creates the rows of the seeds.",
                                     yes);
    if (end != kDone) return end;
    const auto answer =
        ask(context, project,
            status ? Request{.path = "/demo-reset"}
                   : Request{.method = "POST", .path = "/demo-reset", .body = "{}"});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const std::string last = text_of(*answer, "lastResetAt");
    if (!status)
        print("The rows of dev are reset to the seeds.\n");
    else
        print(std::string(answer->value("available", false)
                              ? "The contract has seeds, so the rows can be reset"
                              : "The contract has no seeds") +
              (last.empty() ? ". They were never reset.\n"
                            : ". They were last reset " + last + ".\n"));
    return kDone;
}

// Prints the configuration that most tool clients read, with the address and the token of this
// client. Makes no call.
int mcp_config(CliContext& context, bool token_header) {
    const std::string project = context.named_project();
    const std::string url = context.api() + "/mcp" + query_text({{"project", project}});
    const std::string token = context.token();
    if (token_header && token.empty()) {
        context.refuse("There is no token. Sign in with svc login, or set SVC_TOKEN.",
                       "UNAUTHENTICATED");
        return kRefused;
    }
    const json entry = {
        {"type", "http"},
        {"url", url},
        {"headers", {{"Authorization", "Bearer " + (token_header ? token : "${SVC_TOKEN}")}}}};
    print(json{{"mcpServers", {{"svc", entry}}}}.dump(2) + "\n");
    return kDone;
}

}  // namespace

void add_people_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<MailOptions>();
    auto* mails =
        app.add_subcommand("mail", "Show mails that the app sent while no mail server is set");
    mails->add_option("--to", options->to, "Only mails to this address");
    mails->add_option("--limit", options->limit, "How many to show at most")
        ->check(CLI::Range(1, kMostMails));
    mails->add_flag("--text", options->text, "Show the text of each mail");
    take_environment(mails, options->env)->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return mail(context, *options); };
    });
    auto as = std::make_shared<std::string>();
    auto* sign = app.add_subcommand("sign-in",
                                    "Make a link that signs in to the preview as one of its users");
    sign->add_option("as", *as,
                     "A persona or an account's address; without it, all of them are listed");
    sign->callback(
        [&chosen, as] { chosen = [as](CliContext& context) { return sign_in(context, *as); }; });
    auto status = std::make_shared<bool>(false);
    auto* reset = app.add_subcommand("demo-reset", "Reset the rows of dev to the seeds");
    reset->add_flag("--status", *status,
                    "Only show whether that is possible, and when it last happened");
    auto yes = std::make_shared<bool>(false);
    take_yes(reset, *yes);
    reset->callback([&chosen, status, yes] {
        chosen = [status, yes](CliContext& context) { return demo_reset(context, *status, *yes); };
    });
    auto header = std::make_shared<bool>(false);
    auto* config = app.add_subcommand("mcp-config", "Print the configuration for an MCP client");
    config->add_flag("--token-header", *header, "Write the token itself, not ${SVC_TOKEN}");
    config->callback([&chosen, header] {
        chosen = [header](CliContext& context) { return mcp_config(context, *header); };
    });
}

}  // namespace svc::cli
