#include "hook/delivery.hpp"

#include <ctime>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/url_host.hpp"
#include "feed/judge/shown_row.hpp"
#include "hook/secrets.hpp"
#include "identity/secret/project_secret.hpp"
#include "identity/user/personas.hpp"
#include "outgoing/retry_after.hpp"

namespace svc::hook {
namespace {

constexpr unsigned kSeconds = 15;
constexpr std::size_t kShown = 200;  // bytes of what the receiver says that are kept

// Nothing if the database did not answer.
Task<std::optional<std::string>> row_of(const DeliveryContext& in, const Delivery& delivery) {
    const Entity* entity = in.app.entity(delivery.table);
    const Caller server = identity::server_caller(std::nullopt);
    std::string row;
    if (entity && !delivery.row.empty()) {
        auto shown = co_await feed::shown_row(in.data, in.app, *entity, server, delivery.row);
        if (!shown) co_return std::nullopt;
        row = std::move(*shown);
    }
    if (row.empty()) row = R"({"id":")" + delivery.row_id + "\"}";
    co_return std::move(row);
}

std::string body_of(const Delivery& delivery, std::string_view row) {
    std::string out = R"({"id":")" + delivery.id + R"(","event":)";
    base::append_json(out, delivery.event);
    out += R"(,"at":")" + delivery.at + R"(","table":)";
    base::append_json(out, delivery.table);
    out.append(R"(,"row":)").append(row);
    return out + '}';
}

outgoing::Fetch request_of(const DeliveryContext& in, const Delivery& delivery, std::string body,
                           const std::vector<std::string>& secrets) {
    const std::string now = std::to_string(std::time(nullptr));
    outgoing::Fetch request;
    request.method = "POST";
    request.url = delivery.url;
    request.headers = {"Content-Type: application/json", "webhook-id: " + delivery.id,
                       "webhook-timestamp: " + now,
                       "webhook-signature: " + signature(delivery.id, now, body, secrets),
                       "Expect:"};  // none: a long body is sent at once
    request.body = std::move(body);
    request.allowed = in.allow_private;
    request.seconds = kSeconds;
    return request;
}

// Seconds that the receiver wants us to wait; 0: it does not say.
unsigned pause_of(const outgoing::Fetched& answer) {
    const auto wanted = outgoing::retry_after(answer.header("retry-after"), std::time(nullptr));
    return static_cast<unsigned>(wanted.value_or(0));
}

std::string words_of(const outgoing::Fetched& answer) {
    if (answer.status == 0) return answer.error;
    std::string out = "The address answered " + std::to_string(answer.status);
    std::string quoted;
    base::append_json(quoted, std::string_view(answer.body).substr(0, kShown));
    return answer.body.empty() ? out + '.' : out + ": " + quoted;
}

Attempt failed(std::string error) {
    Attempt out;
    out.error = std::move(error);
    out.made = true;
    return out;
}

}  // namespace

Task<Attempt> deliver(const DeliveryContext& in, const Delivery& delivery) {
    const std::string host = base::host_of(delivery.url);
    const auto secrets = co_await signing_secrets(in.system, in.secret, delivery.secret_name, host);
    if (!secrets) co_return Attempt();
    if (secrets->empty())
        co_return failed("The project has no secret " + delivery.secret_name +
                         " that may be used for " + host + ".");
    const auto row = co_await row_of(in, delivery);
    if (!row) co_return Attempt();
    outgoing::Fetch request = request_of(in, delivery, body_of(delivery, *row), *secrets);
    const outgoing::Fetched answer = co_await in.calls.send(std::move(request));
    Attempt out;
    out.made = true;
    out.status = answer.status;
    if (answer.ok()) co_return out;
    out.error = words_of(answer);
    out.pause = pause_of(answer);
    co_return out;
}

}  // namespace svc::hook
