// apply
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/contract_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/stages.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kApplySeconds =
    900;  // a large contract on a slow machine, with a wait for the compiler

// The end of the stream: `done` holds what a plain answer would; a refusal holds {error, code}.
struct Outcome {
    Reply reply;
    json answer;  // null: the stream ended without one
};

Outcome apply_with_stages(const Session& session, Request request) {
    StageView stages;
    Outcome outcome;
    request.on_event = [&stages, &outcome](const Event& event) {
        json data = json::parse(event.data, nullptr, false);
        if (!data.is_object()) return;
        if (event.name == "stage") return stages.show(data);
        if (event.name == "done" || data.contains("error")) outcome.answer = std::move(data);
    };
    outcome.reply =
        Http(session.api(), session.token()).send(request, [&stages] { stages.tick(); });
    stages.finish();
    if (!outcome.reply.streamed && outcome.reply.trouble.empty()) {
        outcome.answer = json::parse(outcome.reply.body, nullptr, false);
    }
    return outcome;
}

int show_refused(const Session& session, const Outcome& outcome, const ContractFile& file) {
    if (outcome.answer.is_object() && outcome.answer.contains("report")) {
        show_report(outcome.answer["report"], file);
    }
    if (!outcome.reply.trouble.empty()) {
        session.show_refusal(outcome.reply);
    } else if (outcome.answer.is_object()) {
        // A stream's own status is always 200: the refusal is in what it ended with.
        const int status = outcome.reply.streamed ? 0 : outcome.reply.status;
        session.show_refusal({.status = status, .body = outcome.answer.dump()});
    } else {
        session.refuse(session.api() +
                           " ended its answer without saying how the apply went. Look with "
                           "svc pull.",
                       "BAD_ANSWER");
    }
    return kRefused;
}

int show_applied(const json& answer, const ContractFile& file, bool sql) {
    show_report(answer.value("report", json::object()), file);
    print(exposure_lines(answer));
    const json plan = answer.value("plan", json::array());
    print(sql ? plan_sql(plan) : plan_lines(plan));
    print(unmanaged_lines(answer.value("unmanaged", json::array())));
    const std::string summary = text_of(answer, "summary");
    print((summary.empty() ? "Applied." : summary) + "\n");
    return kDone;
}

struct Options {
    std::string file = kContractFile;
    bool force = false, dry = false, sql = false;
};

int show_dry_run(Session& session, const Request& request, const ContractFile& file, bool sql) {
    Outcome outcome{.reply = session.call("Looking", request), .answer = {}};
    outcome.answer = json::parse(outcome.reply.body, nullptr, false);
    const bool shown = outcome.reply.ok() && outcome.answer.is_object();
    return shown ? show_applied(outcome.answer, file, sql) : show_refused(session, outcome, file);
}

std::vector<std::string> flags(const Options& options) {
    std::vector<std::string> out;
    if (options.force) out.emplace_back("force");
    if (options.dry) out.emplace_back("dryRun");
    return out;
}

int apply(Session& session, const Options& options) {
    const std::string project = session.project();
    if (project.empty()) return kUsage;
    int exit_code = kDone;
    const auto file = load_contract(session, options.file, exit_code);
    if (!file) return exit_code;
    const Request request{.method = "POST",
                          .path = project_path(project, "/apply"),
                          .body = contract_body(*file, flags(options)),
                          .seconds = kApplySeconds};
    if (session.wants_json())
        return session.accept(session.call("Applying", request)) ? kDone : kRefused;
    if (options.dry) return show_dry_run(session, request, *file, options.sql);
    const Outcome outcome = apply_with_stages(session, request);
    const bool applied =
        outcome.reply.ok() && outcome.answer.is_object() && !outcome.answer.contains("error");
    return applied ? show_applied(outcome.answer, *file, options.sql)
                   : show_refused(session, outcome, *file);
}

}  // namespace

void add_apply_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("apply", "Build the contract and make it live");
    command->add_option("file", options->file, "The contract's file");
    command->add_flag("--force", options->force,
                      "Overwrite compiled files that were edited by hand");
    command->add_flag("--dry-run", options->dry,
                      "Show what would change in the database; change nothing");
    command->add_flag("--sql", options->sql, "Show the statements of each change");
    command->callback([&chosen, options] {
        chosen = [options](Session& session) { return apply(session, *options); };
    });
}

}  // namespace svc::cli
