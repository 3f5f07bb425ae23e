// domains list, add, verify, remove
#include <CLI/CLI.hpp>
#include <algorithm>
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
    if (!domain.value("verified", false)) return "not verified";
    const std::string proof = text_of(domain, "proof");
    if (proof == "skipped") return "verified, without a record";
    return proof == "before" ? "kept from before records were asked for" : "verified";
}

// What is to be done at the name's DNS, or that nothing is.
void explain(const json& domain) {
    print(text_of(domain, "host") + ": " + state_of(domain) + ".\n");
    if (domain.contains("missing")) print("  " + text_of(domain, "missing") + "\n");
    if (domain.value("verified", false)) return;
    const json record = domain.value("record", json::object());
    print("  Make this record, then: svc domains verify " + text_of(domain, "host") + "\n  " +
          text_of(record, "name") + " TXT " + text_of(record, "value") + "\n");
}

json domains_in(const json& answer) {
    return answer.value("project", json::object()).value("domains", json::array());
}

// Hosts that the project has, but for `host`. None: the refusal is printed.
std::optional<std::vector<std::string>> hosts_beside(Session& session, const std::string& project,
                                                     const std::string& host) {
    const Reply reply = session.call("Asking", {.path = project_path(project, "")});
    const json body = json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !body.is_object()) {
        session.accept(reply);
        return std::nullopt;
    }
    std::vector<std::string> out;
    for (const json& domain : domains_in(body))
        if (text_of(domain, "host") != host) out.push_back(text_of(domain, "host"));
    return out;
}

int list_domains(Session& session) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const auto answer = session.accept(session.call("Asking", {.path = project_path(project, "")}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    Table table{{"host", "state", "TXT record", "value"}, {}, {}};
    for (const json& domain : domains_in(*answer)) {
        const json record = domain.value("record", json::object());
        table.rows.push_back({text_of(domain, "host"), state_of(domain), text_of(record, "name"),
                              text_of(record, "value")});
    }
    print(table.rows.empty() ? "No domains yet. Ask for one: svc domains add shop.example.com\n"
                             : layout(table, terminal_width()));
    return kDone;
}

// The whole list is sent: `host` more or less than there are.
int change_domains(Session& session, const std::string& host, bool wanted) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    auto hosts = hosts_beside(session, project, host);
    if (!hosts) return kRefused;
    if (wanted) hosts->push_back(host);
    const auto answer = session.accept(session.call(wanted ? "Asking for it" : "Removing",
                                                    {.method = "PATCH",
                                                     .path = project_path(project, ""),
                                                     .body = json{{"domains", *hosts}}.dump()}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    if (!wanted) print("The project does not have " + host + " any more.\n");
    for (const json& domain : domains_in(*answer))
        if (text_of(domain, "host") == host) explain(domain);
    return kDone;
}

int verify_domain(Session& session, const std::string& host) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    const auto answer = session.accept(session.call(
        "Looking the record up",
        {.method = "POST",
         .path = project_path(project, "/domains/" + base::percent_encoded(host) + "/verify")}));
    if (!answer) return kRefused;
    const json domain = answer->value("domain", json::object());
    if (!session.wants_json()) explain(domain);
    return domain.value("verified", false) ? kDone : kRefused;
}

}  // namespace

void add_domain_commands(CLI::App& app, Action& chosen) {
    auto* family = app.add_subcommand("domains", "Hosts of your own, which lead to prod");
    family->require_subcommand(0, 1)->fallthrough();
    family->callback([&chosen] {
        if (!chosen) chosen = list_domains;
    });
    auto host = std::make_shared<std::string>();
    auto* list = family->add_subcommand("list", "Which there are, and whether they are verified");
    list->callback([&chosen] { chosen = list_domains; });
    auto* add = family->add_subcommand("add", "Ask for a host; says which TXT record proves it");
    add->callback([&chosen, host] {
        chosen = [host](Session& session) {
            return change_domains(session, base::lower(*host), true);
        };
    });
    auto* verify = family->add_subcommand("verify", "Look its TXT record up");
    verify->callback([&chosen, host] {
        chosen = [host](Session& session) { return verify_domain(session, base::lower(*host)); };
    });
    auto* remove = family->add_subcommand("remove", "Let go of it");
    remove->callback([&chosen, host] {
        chosen = [host](Session& session) {
            return change_domains(session, base::lower(*host), false);
        };
    });
    for (CLI::App* command : {add, verify, remove})
        command->add_option("host", *host, "As shop.example.com")->required();
    for (CLI::App* command : {list, add, verify, remove}) command->fallthrough();
}

}  // namespace svc::cli
