#include "cli/change.hpp"

#include "cli/contract_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/stages.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

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

// A patched contract is in no file here.
void take_text(const Outcome& outcome, ContractFile& file) {
    if (!outcome.answer.is_object()) return;
    const auto text = outcome.answer.find("contractText");
    if (text != outcome.answer.end() && text->is_string()) file.text = text->get<std::string>();
}

int show_dry_run(Session& session, const Request& request, ContractFile& file, bool sql) {
    Outcome outcome{.reply = session.call("Looking", request), .answer = {}};
    outcome.answer = json::parse(outcome.reply.body, nullptr, false);
    take_text(outcome, file);
    const bool shown = outcome.reply.ok() && outcome.answer.is_object();
    return shown ? show_applied(outcome.answer, file, sql) : show_refused(session, outcome, file);
}

}  // namespace

int change(Session& session, const Request& request, ContractFile file, const Shown& shown) {
    if (session.wants_json())
        return session.accept(session.call("Applying", request)) ? kDone : kRefused;
    if (shown.dry) return show_dry_run(session, request, file, shown.sql);
    const Outcome outcome = apply_with_stages(session, request);
    take_text(outcome, file);
    const bool applied =
        outcome.reply.ok() && outcome.answer.is_object() && !outcome.answer.contains("error");
    return applied ? show_applied(outcome.answer, file, shown.sql)
                   : show_refused(session, outcome, file);
}

}  // namespace svc::cli
