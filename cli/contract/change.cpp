#include "cli/contract/change.hpp"

#include "cli/contract/contract_file.hpp"
#include "cli/contract/stages.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// The end of the stream: `done` holds what a plain answer would; a refusal holds {error, code}.
struct Outcome {
    Reply reply;
    json answer;  // null: the stream ended without one
};

Outcome apply_with_stages(const CliContext& context, Request request) {
    StageView stages;
    Outcome outcome;
    request.on_event = [&stages, &outcome](const Event& event) {
        json data = json::parse(event.data, nullptr, false);
        if (!data.is_object()) return;
        if (event.name == "stage") return stages.show(data);
        if (event.name == "done" || data.contains("error")) outcome.answer = std::move(data);
    };
    outcome.reply =
        Http(context.api(), context.token()).send(request, [&stages] { stages.tick(); });
    stages.finish();
    if (!outcome.reply.streamed && outcome.reply.trouble.empty()) {
        outcome.answer = json::parse(outcome.reply.body, nullptr, false);
    }
    return outcome;
}

// Shows what became live meanwhile, if the change was refused for that.
void show_diff(const json& answer) {
    if (text_of(answer, "code") == "STALE_CONTRACT")
        print(difference_lines(answer.value("diff", json())));
}

void show_refused(const CliContext& context, const Outcome& outcome, const ContractFile& file) {
    if (outcome.answer.is_object() && outcome.answer.contains("report")) {
        show_report(outcome.answer["report"], file);
    }
    if (outcome.answer.is_object()) show_diff(outcome.answer);
    if (!outcome.reply.trouble.empty()) {
        context.show_refusal(outcome.reply);
    } else if (outcome.answer.is_object()) {
        // A stream's own status is always 200: the refusal is in what it ended with.
        const int status = outcome.reply.streamed ? 0 : outcome.reply.status;
        context.show_refusal({.status = status, .body = outcome.answer.dump()});
    } else {
        context.refuse(
            context.api() +
                " ended its answer without saying how the apply ended. Look at svc status.",
            "BAD_ANSWER");
    }
    if (text_of(outcome.answer, "code") == "STALE_CONTRACT")
        print("Run svc pull --merge, or svc apply --force.\n");
}

void show_applied(const json& answer, const ContractFile& file, bool sql) {
    show_report(answer.value("report", json::object()), file);
    print(exposure_lines(answer));
    const json plan = answer.value("plan", json::array());
    print(sql ? plan_sql(plan) : plan_lines(plan));
    print(unmanaged_lines(answer.value("unmanaged", json::array())));
    const std::string summary = text_of(answer, "summary");
    print((summary.empty() ? "Applied." : summary) + "\n");
}

// A patched contract is in no file here.
void take_text(const Outcome& outcome, ContractFile& file) {
    if (!outcome.answer.is_object()) return;
    const auto text = outcome.answer.find("contractText");
    if (text != outcome.answer.end() && text->is_string()) file.text = text->get<std::string>();
}

// The address of a path on the API.
std::string on_platform(const std::string& api, const std::string& path) {
    const auto host = api.find("://") + 3;
    return api.substr(0, api.find('/', host)) + path;
}

Outcome dry_run(CliContext& context, const Request& request) {
    Outcome outcome{.reply = context.call("Looking", request), .answer = {}};
    outcome.answer = json::parse(outcome.reply.body, nullptr, false);
    return outcome;
}

}  // namespace

std::optional<json> change(CliContext& context, const Request& request, ContractFile file,
                           const ChangeOptions& shown) {
    if (context.wants_json()) return context.accept(context.call("Applying", request));
    const Outcome outcome =
        shown.dry ? dry_run(context, request) : apply_with_stages(context, request);
    take_text(outcome, file);
    const bool applied =
        outcome.reply.ok() && outcome.answer.is_object() && !outcome.answer.contains("error");
    if (!applied) {
        show_refused(context, outcome, file);
        return std::nullopt;
    }
    show_applied(outcome.answer, file, shown.sql);
    return outcome.answer;
}

std::string answers_at(CliContext& context, const std::string& project) {
    const Reply reply = context.call("Asking", {.path = project_path(project)});
    const json answer = json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !answer.is_object()) return {};
    const std::string host = text_of(answer.value("/environments/dev"_json_pointer, json()), "url"),
                      path = text_of(answer, "previewPath");
    if (host.empty() || path.empty()) return {};
    return "The app answers at " + host + " and at " + on_platform(context.api(), path) + "\n";
}

}  // namespace svc::cli
