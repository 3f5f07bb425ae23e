// status
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// "interrupted at stage migrated, gone forwards" if svcd recovered it; else its stage or its error.
std::string how(const json& run) {
    const std::string recovered = text_of(run, "recovered"), stage = text_of(run, "stage");
    if (!recovered.empty()) return "interrupted at stage " + stage + ", gone " + recovered;
    if (text_of(run, "status") == "running") return "at stage " + stage;
    std::string error = text_of(run, "error");
    return error.substr(0, error.find('\n'));
}

Table table_of_applies(const json& runs) {
    Table table{{"started", "what", "status", "version", ""}, {}, {}};
    for (const json& run : runs) {
        const json version = run.value("version", json());
        table.rows.push_back({text_of(run, "startedAt"), text_of(run, "kind"),
                              text_of(run, "status"), version.is_null() ? "" : version.dump(),
                              how(run)});
    }
    return table;
}

Table table_of_environments(const json& environments) {
    Table table{{"environment", "version", "state", "address"}, {}, {false, true}};
    for (const char* name : {"dev", "prod", "preview"}) {
        const json env = environments.value(name, json());
        if (!env.is_object()) continue;
        const json version = env.value("contractVersion", json());
        const bool live = env.value("live", false);
        table.rows.push_back({name, version.is_null() ? "" : version.dump(),
                              version.is_null() ? "nothing is applied yet"
                              : live            ? "live"
                                                : "not live",
                              version.is_null() ? "" : text_of(env, "url")});
    }
    return table;
}

// Webhooks that nothing is sent to any more, and what turns them on.
std::string hooks_off(const json& environments) {
    std::string out;
    for (const std::string name : {"dev", "prod"}) {
        const json env = environments.value(name, json());
        if (!env.is_object()) continue;
        const std::string more = name == "dev" ? "" : " --env " + name;
        for (const json& hook : env.value("hooksOff", json::array()))
            out += "\nThe webhook " + text_of(hook, "name") + " of " + name + " is off since " +
                   text_of(hook, "offAt") +
                   ": its address has taken no call for five days.\n  To turn it on, send a "
                   "delivery again, or apply another address: svc hooks deliveries " +
                   text_of(hook, "name") + more + ", svc hooks redeliver <id>" + more + "\n";
    }
    return out;
}

// Webhooks that refuse every call, and what makes them take calls.
std::string hooks_lacking_secret(const json& environments) {
    std::string out;
    for (const std::string name : {"dev", "prod", "preview"}) {
        const json env = environments.value(name, json());
        if (!env.is_object() || !env.value("hooksLackingSecret", json()).is_array()) continue;
        for (const json& hook : env["hooksLackingSecret"]) {
            const std::string secret = text_of(hook, "secret"), scheme = text_of(hook, "scheme");
            out += "\nThe webhook " + text_of(hook, "name") + " of " + name +
                   " refuses every call: " +
                   (secret.empty() ? scheme +
                                         " signs with a secret of its own, and the contract "
                                         "names none.\n  Name one (\"secret\": "
                                         "\"secret:NAME\"), and set it to the secret that " +
                                         scheme + " shows: svc secrets set NAME <value>\n"
                                   : "its secret is not set.\n  To set it: svc secrets set " +
                                         secret + " <value>\n");
        }
    }
    return out;
}

// "3 runs, 1 mail"; empty if nothing is held.
std::string counted_held(const json& held) {
    std::string out;
    const auto add = [&](const char* kind, const char* one, const char* several) {
        const auto count = held.value(kind, std::int64_t{0});
        if (count > 0)
            out += (out.empty() ? "" : ", ") + std::to_string(count) + " " +
                   (count == 1 ? one : several);
    };
    add("runs", "run", "runs");
    add("mails", "mail", "mails");
    add("deliveries", "delivery", "deliveries");
    return out;
}

// What a restore stopped.
std::string held_lines(const json& environments) {
    std::string out;
    for (const std::string name : {"dev", "prod", "preview"}) {
        const json env = environments.value(name, json());
        const json held = env.is_object() ? env.value("held", json()) : json();
        const std::string counted = held.is_object() ? counted_held(held) : "";
        if (!counted.empty())
            out += "\nHeld since a restore, of " + name + ": " + counted +
                   ".\n  To see them, and to continue or drop them: svc held" +
                   (name == "dev" ? "" : " --env " + name) + "\n";
    }
    return out;
}

// The result of the last check: files without bytes, and bytes without a file.
std::string files_checked(const json& environments) {
    std::string out;
    for (const std::string name : {"dev", "prod", "preview"}) {
        const json env = environments.value(name, json());
        const json check = env.is_object() ? env.value("filesCheck", json()) : json();
        if (!check.is_object()) continue;
        const auto count = [&check](const char* what) {
            return check.value(what, std::uint64_t{0});
        };
        const std::uint64_t missing = count("missing"), unknown = count("unknown");
        if (count("stored") + missing + unknown == 0) continue;
        out += "\nFiles of " + name + ", checked " + text_of(check, "checkedAt") + ": " +
               std::to_string(count("stored")) + " stored, " + std::to_string(missing) +
               " without bytes, " + std::to_string(unknown) + " whose bytes no row knows (" +
               std::to_string(count("unknownBytes")) + " bytes).\n";
        if (missing + unknown > 0)
            out +=
                "  To see which: svc files check" + (name == "dev" ? "" : " --env " + name) + "\n";
    }
    return out;
}

int status(CliContext& context) {
    const std::string id = context.project();
    if (id.empty()) return kUsage;
    const auto answer = context.accept(context.call("Asking", {.path = project_path(id)}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(text_of(answer->value("project", json::object()), "name") + " (" + id + ")\n\n");
    const json environments = answer->value("environments", json::object());
    print(layout(table_of_environments(environments), terminal_width()));
    const json state = answer->value("state", json::object());
    if (const std::string error = text_of(state, "lastError"); !error.empty())
        print("\nLast error: " + printable(error) + "\n");
    for (const char* name : {"prod", "preview"}) {
        const json env = environments.value(name, json());
        if (const std::string error = text_of(env, "lastError"); !error.empty())
            print("\nLast error of " + std::string(name) + ": " + printable(error) + "\n");
    }
    print(hooks_off(environments));
    print(hooks_lacking_secret(environments));
    print(held_lines(environments));
    print(files_checked(environments));
    const Table runs = table_of_applies(state.value("applies", json::array()));
    if (!runs.rows.empty()) print("\n" + layout(runs, terminal_width()));
    return kDone;
}

}  // namespace

void add_status_command(CLI::App& app, Action& chosen) {
    app.add_subcommand("status", "Show what is live where, and how the last applies ended")
        ->callback([&chosen] { chosen = status; });
}

}  // namespace svc::cli
