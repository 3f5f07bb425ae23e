#include "ai/routes.hpp"

#include <algorithm>

#include "ai/chat_stream.hpp"
#include "ai/request.hpp"
#include "ai/usage_json.hpp"
#include "base/json_text.hpp"

namespace svc::ai {
namespace {

using route::Done;
using route::Request;

identity::Result<void> may_call(const Request& request, std::string_view tool) {
    if (request.key->may_call(tool)) return {};
    return identity::refusal(Code::tool_not_allowed,
                             "This key may not call " + std::string(tool) + ".");
}

identity::Result<std::string> model_of(const AiContext& in, const Request& request,
                                       const std::string& wanted) {
    auto model = chat_model(in.ledger.app.ai, wanted);
    if (model && !request.key->may_ask(*model))
        return identity::refusal(Code::model_not_allowed,
                                 "This key may not ask the model " + *model + ".", "model");
    return model;
}

Task<Done> stream(const AiContext& in, Request& request, const CallBudget& budget, ChatCall call) {
    const auto provider = co_await provider_of(in);
    if (!provider) co_return provider.error();
    auto reservation = co_await Reservation::open(in.ledger, budget);
    if (!reservation) co_return reservation.error();
    call.max_tokens = reservation->answer();
    call.stream = true;
    auto opened =
        co_await open(in, std::move(*reservation), chat_fetch(*provider, call), &request.exchange);
    if (!opened) co_return opened.error();
    const auto chat = std::make_shared<ChatStream>(in.ledger, std::move(*opened));
    request.exchange.reply().follow = [chat](std::unique_ptr<http::Stream> stream) {
        chat->begin(std::move(stream));
    };
    co_return Done();
}

Task<Done> whole(const AiContext& in, Request& request, const CallBudget& budget, ChatCall call) {
    const auto answered = co_await complete(in, budget, std::move(call), &request.exchange);
    if (!answered) co_return answered.error();
    std::string& body = request.exchange.reply().body;
    body = R"({"ok":true,"content":)";
    base::append_json(body, answered->completion.content);
    body += R"(,"usage":)" + usage_json(answered->usage) + R"(,"elapsed_ms":)" +
            std::to_string(answered->ms) + '}';
    co_return Done();
}

Task<Done> chat(const AiContext& in, Request& request) {
    if (const auto fit = may_call(request, "ai.chat"); !fit) co_return fit.error();
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    const Ai& ai = in.ledger.app.ai;
    if (!ai.enabled) co_return (co_await provider_of(in)).error();
    auto wanted = read_chat(request.exchange.body());
    if (!wanted) co_return wanted.error();
    const auto model = model_of(in, request, wanted->model);
    if (!model) co_return model.error();
    if (const auto fit = check_length(wanted->messages, ai); !fit) co_return fit.error();
    ChatCall call;
    call.model = *model;
    call.messages = with_system(ai, std::move(wanted->messages));
    CallBudget budget{caller->user ? caller->user->id : "", "route", "chat", *model};
    budget.prompt = estimated_tokens(call.messages);
    budget.answer = std::min<std::int64_t>(wanted->max_tokens.value_or(ai.max_output_tokens),
                                           ai.max_output_tokens);
    if (wanted->stream) co_return co_await stream(in, request, budget, std::move(call));
    co_return co_await whole(in, request, budget, std::move(call));
}

Task<Done> embeddings(const AiContext& in, Request& request) {
    if (const auto fit = may_call(request, "ai.embed"); !fit) co_return fit.error();
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    const Ai& ai = in.ledger.app.ai;
    if (!ai.enabled) co_return (co_await provider_of(in)).error();
    const auto texts = read_embed(request.exchange.body());
    if (!texts) co_return texts.error();
    if (!ai.embed_model.empty() && !request.key->may_ask(ai.embed_model))
        co_return identity::refusal(Code::model_not_allowed, "This key may not ask the model " +
                                                                 std::string(ai.embed_model) + ".");
    CallBudget budget;
    budget.source = "route";
    if (caller->user) budget.user = caller->user->id;
    const auto embedded = co_await embed(in, budget, *texts, &request.exchange);
    if (!embedded) co_return embedded.error();
    std::string& body = request.exchange.reply().body;
    body = R"({"ok":true,"vectors":)" + vectors_json(embedded->vectors) + R"(,"model":)";
    base::append_json(body, embedded->vectors.model);
    body += R"(,"dimensions":)" + std::to_string(embedded->vectors.dimensions) +
            R"(,"elapsed_ms":)" + std::to_string(embedded->ms) + '}';
    co_return Done();
}

}  // namespace

std::vector<route::Endpoint> routes(const AiContext& in) {
    return {{.method = Method::post,
             .path = "/ai/chat",
             .entry = route::Entry::key,
             .handler = [&in](Request& request) { return chat(in, request); }},
            {.method = Method::post,
             .path = "/ai/embed",
             .entry = route::Entry::key,
             .handler = [&in](Request& request) { return embeddings(in, request); }}};
}

}  // namespace svc::ai
