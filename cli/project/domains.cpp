// domains list, add, verify, remove
#include <CLI/CLI.hpp>
#include <memory>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

std::string state_of(const json& domain) {
    const std::string proof = text_of(domain, "proof");
    if (proof == "before") return "answers; not verified yet";
    if (proof == "skipped") return "verified without a record";
    return domain.value("verified", false) ? "verified" : "not verified";
}

// Prints the change that the name's DNS needs, or that it needs none.
void explain(const json& domain) {
    print(text_of(domain, "host") + ": " + state_of(domain) + ".\n");
    if (domain.contains("missing")) print("  " + text_of(domain, "missing") + "\n");
    if (domain.value("verified", false)) return;
    const json record = domain.value("record", json::object());
    print("  Create this DNS record, then run svc domains verify " + text_of(domain, "host") +
          "\n  " + text_of(record, "name") + " TXT " + text_of(record, "value") + "\n");
}

json domains_in(const json& answer) {
    return answer.value("project", json::object()).value("domains", json::array());
}

int list_domains(CliContext& context) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(context.call("Asking", {.path = project_path(project, "")}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"host", "state", "TXT record", "value"}, {}, {}};
    for (const json& domain : domains_in(*answer)) {
        const json record = domain.value("record", json::object());
        table.rows.push_back({text_of(domain, "host"), state_of(domain), text_of(record, "name"),
                              text_of(record, "value")});
    }
    print(table.rows.empty() ? "No domains yet. Add one with svc domains add shop.example.com\n"
                             : layout(table, terminal_width()));
    return kDone;
}

std::string domain_path(const std::string& project, const std::string& host) {
    return project_path(project, "/domains/" + base::percent_encoded(host));
}

int add_domain(CliContext& context, const std::string& host) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    if (host.find_first_of("/: ") != std::string::npos) {
        context.refuse("\"" + host + "\" is not a host. Write it like shop.example.com.",
                       "BAD_REQUEST");
        return kUsage;
    }
    const auto answer = context.accept(context.call(
        "Adding the domain", {.method = "PUT", .path = domain_path(project, host), .body = "{}"}));
    if (!answer) return kRefused;
    if (!context.wants_json()) explain(answer->value("domain", json::object()));
    return kDone;
}

int remove_domain(CliContext& context, const std::string& host) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(
        context.call("Removing", {.method = "DELETE", .path = domain_path(project, host)}));
    if (!answer) return kRefused;
    if (!context.wants_json()) print("The project no longer has " + host + ".\n");
    return kDone;
}

int verify_domain(CliContext& context, const std::string& host) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(
        context.call("Looking up the TXT record",
                     {.method = "POST", .path = domain_path(project, host) + "/verify"}));
    if (!answer) return kRefused;
    const json domain = answer->value("domain", json::object());
    if (!context.wants_json()) explain(domain);
    return domain.value("verified", false) ? kDone : kRefused;
}

}  // namespace

void add_domain_commands(CLI::App& app, Action& chosen) {
    auto* family = app.add_subcommand("domains", "Manage your own hosts, which lead to prod");
    family->require_subcommand(0, 1)->fallthrough();
    family->callback([&chosen] {
        if (!chosen) chosen = list_domains;
    });
    auto host = std::make_shared<std::string>();
    auto* list = family->add_subcommand("list", "List the hosts and whether they are verified");
    list->callback([&chosen] { chosen = list_domains; });
    auto* add = family->add_subcommand("add", "Add a host and show which TXT record proves it");
    add->callback([&chosen, host] {
        chosen = [host](CliContext& context) { return add_domain(context, base::lower(*host)); };
    });
    auto* verify = family->add_subcommand("verify", "Look up the TXT record of a host");
    verify->callback([&chosen, host] {
        chosen = [host](CliContext& context) { return verify_domain(context, base::lower(*host)); };
    });
    auto* remove = family->add_subcommand("remove", "Remove a host");
    remove->callback([&chosen, host] {
        chosen = [host](CliContext& context) { return remove_domain(context, base::lower(*host)); };
    });
    for (CLI::App* command : {add, verify, remove})
        command->add_option("host", *host, "The host, such as shop.example.com")->required();
    for (CLI::App* command : {list, add, verify, remove}) command->fallthrough();
}

}  // namespace svc::cli
