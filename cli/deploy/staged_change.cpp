#include "cli/deploy/staged_change.hpp"

#include "cli/contract/stages.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// The first counter-example of each check that failed.
void show_verification(const json& report) {
    for (const json& check : report.value("checks", json::array()))
        if (check.contains("pass") && check["pass"] == false)
            print("  " + text_of(check, "name") + ": " + text_of(check, "detail") + "\n");
}

void show_findings(const json& report) {
    for (const json& finding : report.value("errors", json::array()))
        print("  " + text_of(finding, "code") + "  " + text_of(finding, "path") + "  " +
              text_of(finding, "message") + "\n");
}

}  // namespace

std::optional<json> run_change(CliContext& context, const std::string& what, Request request) {
    request.seconds = kChangeSeconds;
    if (context.wants_json()) return context.accept(context.call(what, request));
    StageView stages;
    json answer;
    request.on_event = [&](const Event& event) {
        json data = json::parse(event.data, nullptr, false);
        if (!data.is_object()) return;
        if (event.name == "stage") return stages.show(data);
        answer = std::move(data);
    };
    const Reply reply =
        Http(context.api(), context.token()).send(request, [&stages] { stages.tick(); });
    stages.finish();
    if (!reply.streamed && reply.trouble.empty()) answer = json::parse(reply.body, nullptr, false);
    const bool refused = answer.contains("code") || answer.contains("error");
    if (reply.ok() && answer.is_object() && !refused) return answer;
    if (answer.is_object() && answer.contains("report")) {
        show_verification(answer["report"]);
        show_findings(answer["report"]);
    }
    if (!reply.trouble.empty() || !answer.is_object())
        context.show_refusal(reply);
    else
        context.show_refusal({.status = reply.streamed ? 0 : reply.status, .body = answer.dump()});
    return std::nullopt;
}

}  // namespace svc::cli
