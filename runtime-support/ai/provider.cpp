#include "ai/provider.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/url_host.hpp"
#include "base/words.hpp"
#include "identity/secret/project_secret.hpp"
#include "log/log.hpp"
#include "run/step_code.hpp"

namespace svc::ai {
namespace {

constexpr unsigned kLongest = 3600;  // seconds that an answer may take, as long as some of it comes
constexpr std::size_t kMostVectors = std::size_t{32} << 20;

// A key goes into a header: what would end its line is not a key.
bool is_line(std::string_view key) {
    return std::ranges::all_of(key, [](char c) { return c > ' ' && c < 127; });
}

identity::Refusal no_key(std::string_view why, std::string_view host) {
    log::write(log::Level::warning, "ai_key_not_sent", {{"why", why}, {"host", host}});
    return identity::refusal(Code::provider_error,
                             "The app's model cannot be reached. Its operator finds the reason "
                             "in the log.");
}

outgoing::Fetch fetch_of(const Provider& provider, std::string_view path, std::string body) {
    outgoing::Fetch fetch;
    fetch.method = "POST";
    fetch.url = provider.base_url + std::string(path);
    fetch.headers = {"Content-Type: application/json"};
    if (!provider.key.empty()) fetch.headers.push_back("Authorization: Bearer " + provider.key);
    // Or curl asks first whether a long body is welcome, and waits a second for a yes.
    fetch.headers.emplace_back("Expect:");
    fetch.body = std::move(body);
    fetch.seconds = kLongest;
    return fetch;
}

}  // namespace

Task<identity::Result<std::optional<Provider>>> find_provider(db::Pool& system,
                                                              std::string_view secret) {
    const auto url = co_await identity::project_secret(system, secret, "AI_BASE_URL");
    if (!url) co_return url.error();
    Provider out;
    if (*url) out.base_url = **url;
    while (out.base_url.ends_with('/')) out.base_url.pop_back();
    const std::string host = base::host_of(out.base_url);
    if (host.empty() || out.base_url.find_first_of("?#@ ") != std::string::npos)
        co_return std::nullopt;
    const auto key = co_await identity::project_secret(system, secret, "AI_API_KEY", host);
    if (!key) co_return key.error();
    if (*key) {
        out.key = **key;
    } else {
        const auto any = co_await identity::project_secret(system, secret, "AI_API_KEY");
        if (!any) co_return any.error();
        if (*any) co_return no_key(base::word(run::StepCode::secret_not_for_host), host);
    }
    if (!is_line(out.key)) co_return no_key("AI_API_KEY must be one word", host);
    co_return out;
}

outgoing::Fetch chat_fetch(const Provider& provider, const ChatCall& call) {
    std::string body = "{";
    base::append_json_member(body, "model", call.model);
    body += R"(,"messages":[)";
    for (std::size_t i = 0; i < call.messages.size(); ++i) {
        body += i == 0 ? "{" : ",{";
        base::append_json_member(body, "role", base::word(call.messages[i].role));
        body += ',';
        base::append_json_member(body, "content", call.messages[i].content);
        body += '}';
    }
    body += R"(],"max_tokens":)" + std::to_string(call.max_tokens);
    if (!call.schema.empty())
        body +=
            R"(,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":)" +
            call.schema + "}}";
    body += call.stream ? R"(,"stream":true,"stream_options":{"include_usage":true}})" : "}";
    return fetch_of(provider, "/chat/completions", std::move(body));
}

outgoing::Fetch embed_fetch(const Provider& provider, std::string_view model,
                            const std::vector<std::string>& texts) {
    std::string body = "{";
    base::append_json_member(body, "model", model);
    body += R"(,"encoding_format":"float","input":[)";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) body += ',';
        base::append_json(body, texts[i]);
    }
    body += "]}";
    outgoing::Fetch fetch = fetch_of(provider, "/embeddings", std::move(body));
    fetch.most_bytes = kMostVectors;
    return fetch;
}

}  // namespace svc::ai
