#include "connector/tool/rpc.hpp"

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "connector/outcome.hpp"
#include "outgoing/event_reader.hpp"
#include "run/call/http_step.hpp"
#include "run/call/mask.hpp"

namespace svc::connector {
namespace {

constexpr std::size_t kMostAnswer = std::size_t{1} << 20;

Reply unanswered(std::string problem, bool retryable = false) {
    Reply out;
    out.problem = std::move(problem);
    out.retryable = retryable;
    return out;
}

std::string text_of(const Message& message) {
    std::string out = R"({"jsonrpc":"2.0",)";
    if (!message.notification) out += R"("id":1,)";
    out += R"("method":)";
    base::append_json(out, message.method);
    if (!message.params.empty()) out += ",\"params\":" + message.params;
    return out + "}";
}

bool is_type(const outgoing::Fetched& head, std::string_view wanted) {
    const std::string_view type = head.header("content-type");
    return base::iequals(base::trim(type.substr(0, type.find(';'))), wanted);
}

// Until our answer is there; others may come before it.
Task<> read_events(outgoing::Incoming& incoming, const std::vector<std::string>& secrets,
                   std::chrono::seconds patience, Reply& reply) {
    outgoing::EventReader reader;
    for (std::size_t bytes = 0;;) {
        const auto piece = co_await incoming.next(patience);
        bytes += piece.bytes.size();
        std::vector<std::string> events;
        const bool fits = reader.feed(piece.bytes, events) && bytes <= kMostAnswer;
        for (std::string& event : events)
            if (reply.take(run::masked(std::move(event), secrets))) co_return;
        if (!fits) {
            reply.problem = "The tool server's answer is longer than a megabyte.";
            co_return;
        }
        if (!piece.ended && !piece.bytes.empty()) continue;
        reply.problem = "The tool server did not answer.";
        reply.retryable = true;
        co_return;
    }
}

Task<> read_body(outgoing::Incoming& incoming, const std::vector<std::string>& secrets,
                 std::chrono::seconds patience, bool wanted, Reply& reply) {
    std::string body;
    for (;;) {
        const auto piece = co_await incoming.next(patience);
        body += piece.bytes;
        if (body.size() > kMostAnswer) {
            reply.problem = "The tool server's answer is longer than a megabyte.";
            co_return;
        }
        if (!piece.ended && !piece.bytes.empty()) continue;
        if (!piece.ended || !piece.error.empty()) {
            reply.problem =
                "The tool server did not answer: " + run::masked(piece.error, secrets) + ".";
            reply.retryable = true;
            co_return;
        }
        break;
    }
    body = run::masked(std::move(body), secrets);
    if (reply.take(body) || !wanted) co_return;
    reply.problem = "The tool server answered with status " + std::to_string(reply.status) +
                    run::begin_of(body);
    reply.retryable = reply.status >= 500 || reply.status == 429;
}

}  // namespace

Task<Reply> send(const CallContext& in, const Server& server, const Credentials& credentials,
                 Message message) {
    outgoing::Fetch fetch;
    fetch.method = "POST";
    fetch.url = server.url;
    fetch.seconds = message.seconds;
    fetch.allowed = in.allowed;
    fetch.headers = {"Content-Type: application/json",
                     "Accept: application/json, text/event-stream", "Expect:"};
    bool sendable = add_credentials(fetch, server.auth, credentials);
    for (const auto& [name, value] : message.headers)
        sendable = sendable && run::add_header(fetch, name, value);
    if (!sendable)
        co_return unanswered("The secret " + server.auth.secret + " must be a single line.");
    fetch.body = text_of(message);
    const std::chrono::seconds patience(message.seconds + 5);  // curl's own limit comes first
    const auto incoming = in.calls.open(in.io, std::move(fetch));
    const outgoing::Fetched head = co_await incoming->head(patience);
    if (head.status == 0)
        co_return unanswered(run::masked(no_answer(head).error, credentials.masked),
                             no_answer(head).retryable);
    Reply reply;
    reply.status = head.status;
    reply.mcp_session = head.header("mcp-session-id");
    if (is_type(head, "text/event-stream") && !message.notification)
        co_await read_events(*incoming, credentials.masked, patience, reply);
    else
        co_await read_body(*incoming, credentials.masked, patience,
                           !message.notification || head.status >= 300, reply);
    co_return reply;
}

}  // namespace svc::connector
