// Operations on workflows, topics, mail and events.
#include "mcp/operation_families.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kPublish =
    R"("payload":{"description":"any JSON, at most 64 KiB"},"undeclared":{"type":"boolean","description":"also take a topic that the contract does not declare"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})";

constexpr const char* kTail =
    R"("kind":{"type":"string","enum":["events","requests","errors","runs"]},"topic":{"type":"string","description":"for events: only these topics, separated by commas; row-changed:<table> for changes of a table"},"undeclared":{"type":"boolean","description":"also take topics that the contract does not declare"},"workflow":{"type":"string","description":"for runs: only those of this workflow"},"since":{"type":"string","description":"15m, 2h, 1d or an ISO time"},"limit":{"type":"integer","minimum":1,"maximum":500},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})";

constexpr const char* kHeldKinds =
    R"("kind":{"type":"string","enum":["runs","mails","deliveries"]},"ids":{"type":"array","items":{"type":"string"},"description":"ids, or beginnings of ids that fit one entry each"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})";

constexpr Operation kEventOperations[] = {
    {"get_logs", "Logs", "Recent runs of workflows, and notifications.", "GET",
     "/projects/:project/logs",
     R"("workflow":{"type":"string"},"status":{"type":"string","enum":["queued","running","waiting","succeeded","failed","dead","cancelled","held"]},"before":{"type":"string","description":"id of a run, to get older ones"},"limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"run_workflow", "Run a workflow",
     "Starts a workflow now. One that starts from a row needs the id of that row.", "POST",
     "/projects/:project/workflows/:workflow/run",
     R"("input":{"type":"object"},"row":{"type":"string","description":"id of the row that it is about, for a workflow that starts from a row; new is this row as it is now"},"old":{"type":"object","description":"values that the row had before, for a workflow that starts from a change"},"as":{"type":"string"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", false, true},
    {"get_run", "Run", "What a run of a workflow did.", "GET", "/projects/:project/runs/:run", kEnv,
     "", true, false},
    {"list_workflows", "Workflows",
     "The workflows of the live contract: what starts each one, and how many of its runs are alive "
     "or dead.",
     "GET", "/projects/:project/workflows", kEnv, "", true, false},
    {"cancel_run", "Cancel a run",
     "Cancels a run that has not ended. What it has done is not undone.", "POST",
     "/projects/:project/runs/:run/cancel", kEnv, "", false, true},
    {"list_held", "Held after a restore",
     "Runs, mails and deliveries that a restore holds until somebody releases or drops them, the "
     "oldest first.",
     "GET", "/projects/:project/held",
     R"("limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"release_held", "Release what is held",
     "Continues runs, or sends mails or deliveries, that a restore holds: all of the kind, or only "
     "the named ones.",
     "POST", "/projects/:project/held/release", kHeldKinds, "\"kind\"", false, true},
    {"drop_held", "Drop what is held",
     "Cancels runs, mails or deliveries that a restore holds: all of the kind, or only the named "
     "ones. They are not done.",
     "POST", "/projects/:project/held/drop", kHeldKinds, "\"kind\"", false, true},
    {"list_hooks", "Webhooks", "Incoming and outgoing webhooks of the app, and whether they work.",
     "GET", "/projects/:project/hooks", kEnv, "", true, false},
    {"list_deliveries", "Deliveries",
     "Deliveries of outgoing webhooks, sent or waiting, newest first.", "GET",
     "/projects/:project/deliveries",
     R"("hook":{"type":"string"},"before":{"type":"string","description":"id of a delivery, to get older ones"},"limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"redeliver", "Deliver again", "Sends a delivery again, with the same id.", "POST",
     "/projects/:project/deliveries/:delivery/redeliver", kEnv, "", false, true},
    {"ai_usage", "Usage of models",
     "Tokens that the app's models used, by day, model and user, newest day first.", "GET",
     "/projects/:project/ai/usage",
     R"("days":{"type":"integer","minimum":1,"maximum":90,"description":"how many days; the default is 7"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"list_payments", "Payments", "Payments of the app's orders, newest first.", "GET",
     "/projects/:project/payments",
     R"("status":{"type":"string","enum":["due","processing","paid","failed"]},"order":{"type":"string","description":"id of an order, to get its payments only"},"before":{"type":"string","description":"id of a payment, to get older ones"},"limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"get_payment", "Payment", "A payment: its lines, its amount, and how its status changed.",
     "GET", "/projects/:project/payments/:payment", kEnv, "", true, false},
    {"end_payment", "End a card payment",
     "Records a card payment that is processing as failed, without asking the card provider, so "
     "that the order can be paid again. Only for payments that the provider no longer knows: if "
     "the customer has paid there, the money stays at the provider.",
     "POST", "/projects/:project/payments/:payment/end",
     R"("note":{"type":"string","minLength":1,"maxLength":300,"description":"why; the customer reads it"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", false, true},
    {"list_files", "Files", "Files that people uploaded to the app, newest first, and their sum.",
     "GET", "/projects/:project/files",
     R"("state":{"type":"string","enum":["signed","uploading","stored","deleted"]},"before":{"type":"string","description":"id of a file, to get older ones"},"limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"check_files", "Check of files", "Files without bytes, and stored bytes without a row.", "GET",
     "/projects/:project/files/check", kEnv, "", true, false},
    {"list_dead_letters", "Dead letters", "Runs that failed for good.", "GET",
     "/projects/:project/dead-letters",
     R"("limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"replay_dead_letters", "Replay dead letters",
     "Runs all dead letters again, or only the named ones.", "POST",
     "/projects/:project/dead-letters/replay",
     R"("ids":{"type":"array","items":{"type":"string"}},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", false, true},
    {"tail", "What happened",
     "Lists recent changes of rows and messages of topics, requests, errors or runs, newest last.",
     "GET", "/projects/:project/tail", kTail, "", true, false},
    {"list_topics", "Topics",
     "Topics that the contract declares, and topics that got messages in the last 24 hours.", "GET",
     "/projects/:project/topics", kEnv, "", true, false},
    {"publish_message", "Publish to a topic",
     "Sends a message to everybody who listens to the topic, no matter who may publish there.",
     "POST", "/projects/:project/topics/:topic/publish", kPublish, "", false, false},
    {"get_mail", "Mail", "The mails that the app has sent while no mail server is set.", "GET",
     "/projects/:project/mail",
     R"("to":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":200},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
};

}  // namespace

std::span<const Operation> event_operations() { return kEventOperations; }

}  // namespace svc::devapi
