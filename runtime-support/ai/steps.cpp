#include "ai/steps.hpp"

#include "ai/usage_json.hpp"
#include "base/json_text.hpp"
#include "json/formats.hpp"
#include "json/schema.hpp"
#include "json/value.hpp"
#include "run/step_code.hpp"

namespace svc::ai {
namespace {

run::ServiceResult failed(const identity::Refusal& refusal) {
    const Code code = refusal.error.code;
    const bool retryable =
        code == Code::provider_error || code == Code::unavailable || code == Code::internal;
    run::ServiceResult result = run::failed(code, refusal.error.message, retryable);
    if (refusal.retry_after > 0) result.retry_after = refusal.retry_after;
    return result;
}

run::ServiceResult unfit(std::string why) {
    return run::failed(run::StepCode::ai_answer_invalid,
                       "The model's answer does not fit the step's schema: " + std::move(why),
                       true);
}

// {"content": …}, or what the schema asked for.
run::ServiceResult read_answer(const Completion& completion, const json::Value* schema) {
    run::ServiceResult result;
    std::string content = completion.content;
    if (!schema) {
        std::erase(content, '\0');  // which PostgreSQL stores in no text
        result.output = R"({"content":)";
        base::append_json(result.output, content);
        result.output += '}';
        return result;
    }
    const json::Parsed parsed = json::parse(content);
    if (!parsed.error.empty()) return unfit("it is not JSON.");
    if (parsed.nul || !json::numbers_in_range(content))
        return unfit("it contains U+0000 or a number that PostgreSQL cannot store.");
    if (const std::string why = json::misfit(parsed.value, *schema); !why.empty())
        return unfit(why);
    result.output = std::move(content);
    return result;
}

}  // namespace

Task<run::ServiceResult> AiStep::perform(run::ServiceCall asked) {
    const Ai& ai = in_.ledger.app.ai;
    const auto model = chat_model(ai, "");
    if (!model) co_return failed(model.error());
    std::vector<Message> messages;
    if (const std::string system = asked.request.text_of("system"); !system.empty())
        messages.push_back({Role::system, system});
    messages.push_back({Role::user, asked.request.text_of("prompt")});
    if (const auto fit = check_length(messages, ai); !fit) co_return failed(fit.error());
    const json::Value* schema = asked.request.find("schema");
    ChatCall call;
    call.model = *model;
    call.messages = with_system(ai, std::move(messages));
    if (schema) call.schema = schema->shown();
    CallBudget budget{"", "workflow", "chat", *model};
    budget.prompt = estimated_tokens(call.messages);
    budget.answer = ai.max_output_tokens;
    budget.seconds = static_cast<unsigned>(asked.timeout);
    const auto answered = co_await complete(in_, budget, std::move(call), nullptr);
    if (!answered) co_return failed(answered.error());
    co_return read_answer(answered->completion, schema);
}

Task<run::ServiceResult> EmbedStep::perform(run::ServiceCall asked) {
    std::vector<std::string> texts;
    if (const json::Value* list = asked.request.find("texts"))
        for (const json::Value& item : list->items)
            texts.push_back(item.is(json::Value::Kind::string) ? item.text : item.shown());
    if (const auto fit = check_texts(texts); !fit) co_return failed(fit.error());
    CallBudget budget;
    budget.source = "workflow";
    budget.seconds = static_cast<unsigned>(asked.timeout);
    const auto embedded = co_await embed(in_, budget, texts, nullptr);
    if (!embedded) co_return failed(embedded.error());
    run::ServiceResult result;
    result.output = R"({"vectors":)" + vectors_json(embedded->vectors) + '}';
    co_return result;
}

}  // namespace svc::ai
