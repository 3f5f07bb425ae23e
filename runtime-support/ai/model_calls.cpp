#include "ai/model_calls.hpp"

#include "ai/failure.hpp"
#include "ai/tokens.hpp"
#include "base/url_host.hpp"
#include "identity/secret/project_secret.hpp"

namespace svc::ai {
namespace {

constexpr std::size_t kMostError = std::size_t{64} << 10;
constexpr std::chrono::seconds kErrorPatience{5};
constexpr std::size_t kMostAnswer = std::size_t{8} << 20;

// While it lives, a client that hangs up ends the call.
class Watch {
  public:
    Watch(http::Exchange* client, const std::shared_ptr<outgoing::Incoming>& incoming)
        : client_(client) {
        if (client_) client_->watch([incoming] { incoming->cancel(); });
    }
    ~Watch() {
        if (client_) client_->watch({});
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    http::Exchange* const client_;
};

identity::Refusal disabled(std::string_view why) {
    return identity::refusal(Code::ai_disabled, std::string(why));
}

// An answer that nobody reads: the reservation ends as for a caller who left.
identity::Refusal caller_left() {
    return identity::refusal(Code::provider_error, "The caller has left.");
}

Task<identity::Refusal> give_up(Reservation& reservation, identity::Refusal refusal) {
    co_await reservation.failed(refusal.error.code);
    co_return refusal;
}

outgoing::Fetch within(unsigned seconds, outgoing::Fetch fetch) {
    if (seconds > 0) fetch.seconds = seconds;
    return fetch;
}

// Reads the rest of an answer that is not a success, as far as it says why. One that comes byte by
// byte would keep the caller and the reservation for as long as it likes.
Task<> read_error(outgoing::Incoming& incoming, outgoing::Fetched& head) {
    const auto until = std::chrono::steady_clock::now() + kErrorPatience;
    for (bool more = true; more && head.body.size() < kMostError;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (left.count() <= 0) co_return;
        const auto piece = co_await incoming.next(left);
        head.body += piece.bytes;
        more = !piece.ended && !piece.bytes.empty();
    }
}

}  // namespace

Task<identity::Result<Provider>> provider_of(const AiContext& in) {
    if (!in.ledger.app.ai.enabled)
        co_return disabled("This app has no AI: its contract has no \"ai\" block.");
    if (!in.outside) co_return disabled("This server calls no model.");
    auto found = co_await find_provider(in.ledger.system, in.secret);
    if (!found) co_return found.error();
    if (!*found)
        co_return disabled(
            "This app has no model provider yet: its project needs the secret AI_BASE_URL.");
    co_return std::move(**found);
}

identity::Result<std::string> chat_model(const Ai& ai, const std::string& wanted) {
    if (wanted.empty()) {
        if (ai.model.empty()) return disabled("The app's contract names no model for chats.");
        return std::string(ai.model);
    }
    for (const std::string_view model : ai.models)
        if (model == wanted) return wanted;
    return identity::refusal(Code::model_not_allowed, "This app does not use this model.", "model");
}

std::vector<Message> with_system(const Ai& ai, std::vector<Message> messages) {
    if (!ai.system.empty())
        messages.insert(messages.begin(), Message{Role::system, std::string(ai.system)});
    return messages;
}

std::int64_t estimated_tokens(const std::vector<Message>& messages) {
    TokenEstimate estimate;
    for (const Message& message : messages) estimate.add_message(message.content);
    return estimate.tokens();
}

Task<identity::Result<OpenedCall>> open(const AiContext& in, Reservation reservation,
                                        outgoing::Fetch fetch, http::Exchange* client) {
    const std::string host = base::host_of(fetch.url);
    fetch.allowed = in.allowed;
    const auto incoming = in.calls.open(in.ledger.io, std::move(fetch));
    const Watch watch(client, incoming);
    outgoing::Fetched head = co_await incoming->head(kSilence);
    const bool silent = head.status == 0 && head.error.empty();
    // An answer that says no costs nothing; none at all costs the prompt, once it was sent.
    reservation.came(head.status == 0 && (head.reached || silent),
                     silent ? reservation.unheard() : 0);
    if (head.status >= 200 && head.status < 300) {
        reservation.came(true, 0);
        co_return OpenedCall{incoming, std::move(head), host, std::move(reservation)};
    }
    if (incoming->cancelled()) co_return caller_left();
    co_await read_error(*incoming, head);
    co_return co_await give_up(reservation, provider_failed(head, host));
}

Task<identity::Result<std::string>> read_all(OpenedCall& opened, std::size_t most,
                                             http::Exchange* client) {
    const Watch watch(client, opened.incoming);
    std::string body;
    for (auto kept = std::chrono::steady_clock::now();;) {
        const auto piece = co_await opened.incoming->next(kSilence);
        if (const auto now = std::chrono::steady_clock::now(); now - kept > kSilence) {
            kept = now;
            co_await opened.reservation.keep();
        }
        if (opened.incoming->cancelled()) co_return caller_left();
        body += piece.bytes;
        const bool silent = piece.bytes.empty() && !piece.ended;
        const bool broken = piece.ended && !piece.error.empty();
        if (silent) opened.reservation.came(true, opened.reservation.unheard());
        if (silent || broken || body.size() > most)
            co_return co_await give_up(opened.reservation,
                                       provider_nonsense(silent   ? "it sent nothing for too long"
                                                         : broken ? std::string_view(piece.error)
                                                                  : "the answer is too long",
                                                         opened.host));
        if (piece.ended) co_return body;
    }
}

Task<identity::Result<ChatResult>> complete(const AiContext& in, CallBudget budget, ChatCall call,
                                            http::Exchange* client) {
    const auto provider = co_await provider_of(in);
    if (!provider) co_return provider.error();
    budget.whole = true;
    auto reservation = co_await Reservation::open(in.ledger, budget);
    if (!reservation) co_return reservation.error();
    call.max_tokens = reservation->answer();
    auto opened = co_await open(in, std::move(*reservation),
                                within(budget.seconds, chat_fetch(*provider, call)), client);
    if (!opened) co_return opened.error();
    const auto body = co_await read_all(*opened, kMostAnswer, client);
    if (!body) co_return body.error();
    auto completion = read_completion(*body);
    if (!completion)
        co_return co_await give_up(opened->reservation,
                                   provider_nonsense("no completion in the answer", opened->host));
    TokenEstimate estimate;
    estimate.add(completion->content);
    const Usage guessed{opened->reservation.prompt(), estimate.tokens(), true};
    ChatResult out{std::move(*completion), guessed, opened->reservation.elapsed_ms()};
    out.usage = out.completion.usage.value_or(guessed);
    co_await opened->reservation.done(out.usage);
    co_return out;
}

Task<identity::Result<EmbedResult>> embed(const AiContext& in, CallBudget budget,
                                          const std::vector<std::string>& texts,
                                          http::Exchange* client) {
    const auto provider = co_await provider_of(in);
    if (!provider) co_return provider.error();
    budget.model = in.ledger.app.ai.embed_model;
    if (budget.model.empty())
        co_return identity::refusal(Code::embedding_not_configured,
                                    "The app's contract names no \"embedModel\".");
    TokenEstimate estimate;
    for (const std::string& text : texts) estimate.add(text);
    budget.kind = "embed";
    budget.prompt = estimate.tokens();
    auto reservation = co_await Reservation::open(in.ledger, budget);
    if (!reservation) co_return reservation.error();
    outgoing::Fetch fetch = within(budget.seconds, embed_fetch(*provider, budget.model, texts));
    const std::size_t most = fetch.most_bytes;
    auto opened = co_await open(in, std::move(*reservation), std::move(fetch), client);
    if (!opened) co_return opened.error();
    const auto body = co_await read_all(*opened, most, client);
    if (!body) co_return body.error();
    auto vectors = read_vectors(*body, texts.size());
    if (!vectors)
        co_return co_await give_up(
            opened->reservation,
            provider_nonsense("the vectors do not match the request", opened->host));
    if (vectors->model.empty()) vectors->model = budget.model;
    EmbedResult out{std::move(*vectors), opened->reservation.elapsed_ms()};
    Usage usage = out.vectors.usage.value_or(Usage{opened->reservation.prompt(), 0, true});
    usage.completion = 0;
    co_await opened->reservation.done(usage);
    co_return out;
}

}  // namespace svc::ai
