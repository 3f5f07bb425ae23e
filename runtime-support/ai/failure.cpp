#include "ai/failure.hpp"

#include <ctime>

#include "json/value.hpp"
#include "log/log.hpp"
#include "outgoing/error_word.hpp"
#include "outgoing/retry_after.hpp"

namespace svc::ai {
namespace {

constexpr unsigned kRetry = 5;  // seconds, where the provider names none

struct ProviderError {
    std::string code, type;
};

ProviderError read_error(std::string_view body) {
    const json::Parsed parsed = json::parse(body);
    const json::Value* error = parsed.value.find("error");
    if (!parsed.error.empty() || !error) return {};
    return {outgoing::error_word(error->text_of("code")),
            outgoing::error_word(error->text_of("type"))};
}

bool is(const ProviderError& error, std::string_view word) {
    return error.code == word || error.type == word;
}

identity::Refusal refused(Code code, std::string message, unsigned retry_after = 0) {
    identity::Refusal out = identity::refusal(code, std::move(message));
    out.retry_after = retry_after;
    return out;
}

}  // namespace

identity::Refusal provider_failed(const outgoing::Fetched& answer, std::string_view host) {
    const ProviderError error = read_error(answer.body);
    log::write(log::Level::warning, "ai_provider_failed",
               {{"host", host},
                {"status", answer.status},
                {"code", error.code.empty() ? error.type : error.code},
                {"what", answer.error}});
    if (answer.status == 402 || is(error, "insufficient_quota"))
        return refused(Code::insufficient_credits,
                       "The app's account with its model provider has no credit left.");
    if (answer.status == 400 && is(error, "context_length_exceeded"))
        return refused(Code::input_too_large,
                       "The messages are longer than the model takes. Send fewer.");
    if (answer.status == 429) {
        const auto asked = outgoing::retry_after(answer.header("retry-after"), std::time(nullptr));
        return refused(Code::provider_error, "The app's model is busy right now. Try again.",
                       static_cast<unsigned>(asked.value_or(kRetry)));
    }
    if (answer.status == 401 || answer.status == 403)
        return refused(Code::provider_error,
                       "The app's model provider does not accept the app's key. The app's operator "
                       "finds more in the log.");
    return refused(Code::provider_error, answer.status == 0
                                             ? "The app's model did not answer. Try again."
                                             : "The app's model failed. Try again.");
}

identity::Refusal provider_nonsense(std::string_view why, std::string_view host) {
    log::write(log::Level::warning, "ai_provider_failed", {{"host", host}, {"what", why}});
    return refused(Code::provider_error, "The app's model gave no usable answer. Try again.");
}

}  // namespace svc::ai
