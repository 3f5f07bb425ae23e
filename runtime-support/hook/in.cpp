#include "hook/in.hpp"

#include <ctime>
#include <functional>

#include "auth/throttles.hpp"
#include "base/app_paths.hpp"
#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "db/one_value.hpp"
#include "hook/call_body.hpp"
#include "hook/secrets.hpp"
#include "http/request/proxy.hpp"
#include "identity/command.hpp"
#include "json/value.hpp"

namespace svc::hook {
namespace {

using route::Done;
using route::Request;

constexpr std::string_view kReceivingPath = "/hooks/<path>";
static_assert(kReceivingPath.starts_with(base::kHooksPath));
constexpr std::string_view kTake = "select svc.take_hook($1::text, $2::text, $3::jsonb)";
constexpr std::string_view kNotSet = "The secret of this webhook is not set.";
constexpr std::string_view kTooMany =
    "Too many calls from this address without a valid signature. Try again later.";

identity::Refusal no_hook() {
    return identity::refusal(Code::not_found, "The app has no such webhook.");
}

// The name at the end of <project>/<name>; empty if the project is another one.
std::string_view name_of(const ReceiveContext& in, std::string_view path) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return {};
    const bool ours = in.project.empty() || base::iequals(path.substr(0, slash), in.project);
    return ours ? path.substr(slash + 1) : std::string_view();
}

// Slack asks whether we are who we say before it sends events.
bool answer_challenge(Scheme scheme, http::Exchange& exchange) {
    if (scheme != Scheme::slack || exchange.body().size() > 4096) return false;
    const json::Parsed parsed = json::parse(exchange.body());
    if (!parsed.error.empty() || parsed.value.text_of("type") != "url_verification") return false;
    std::string& body = exchange.reply().body;
    body = R"({"challenge":)";
    base::append_json(body, parsed.value.text_of("challenge"));
    body += '}';
    return true;
}

identity::Result<void> check(const WebhookIn& hook, const http::Exchange& exchange) {
    if (hook.scheme != Scheme::none && hook.secrets.empty())
        return identity::refusal(Code::unavailable, std::string(kNotSet));
    if (verified(hook.scheme, exchange.head(), exchange.body(), hook.secrets, std::time(nullptr)))
        return {};
    // Only a secret that the project has chosen: a generated one is for those who sign.
    const bool may_carry = hook.scheme == Scheme::svc && !hook.secret_name.empty();
    if (may_carry && carries(exchange.head(), hook.secrets)) return {};
    return identity::refusal(Code::bad_signature,
                             "The signature is missing, wrong, or older than five minutes.");
}

// Counts the calls of one address: to this webhook, and to unknown webhooks. Each call counts until
// its signature is verified, because the check needs the database and the whole body. Calls of
// unsigned webhooks always count.
class Counted {
  public:
    Counted(identity::Throttle& calls, std::string_view name, const http::Exchange& exchange)
        : calls_(calls),
          strangers_("/" + http::counted_network(exchange.remote())),
          own_(std::string(name) + strangers_) {}

    identity::Result<void> take() {
        for (const std::string& key : {strangers_, own_})
            if (auto fit = auth::take(calls_, key, kTooMany); !fit) return fit;
        return {};
    }
    void is_there() { calls_.give_back(strangers_); }
    void is_verified(Scheme scheme) {
        if (scheme != Scheme::none) calls_.give_back(own_);
    }

  private:
    identity::Throttle& calls_;
    const std::string strangers_, own_;
};

// The caller gets the error of the workflow's input.
identity::Refusal not_taken(const db::Outcome& outcome) {
    if (outcome.error().sqlstate != base::sqlstate::kMisfit) return identity::refusal(outcome);
    return identity::refusal(Code::params_invalid, outcome.error().message);
}

Task<Done> take(const ReceiveContext& in, http::Exchange& exchange, std::string_view name,
                const WebhookIn& hook) {
    const auto body = read_call_body(exchange.head(), exchange.body());
    if (!body) co_return body.error();
    const std::string input = input_of(exchange.head(), *body);
    const auto event = event_id(hook.scheme, exchange.head(), *body, hook.dedupe);
    const db::Param params[] = {name, event ? db::Param(*event) : db::Param(), input};
    db::OneText answer;
    const db::Command command = identity::command("svc_take_hook", kTake, params, &answer);
    // The conditions of its workflows may be slow. A webhook is a party: it delays no other.
    const db::Slow how{.party = {.caller = std::hash<std::string_view>{}(name)}};
    const db::Outcome outcome = co_await in.system.run_slow({&command, 1}, how);
    if (!outcome.ok) co_return not_taken(outcome);
    if (!answer.text) co_return no_hook();
    exchange.reply().status = 202;
    exchange.reply().body = R"({"ok":true,"id":")" + *answer.text + "\"}";
    co_return Done();
}

Task<Done> receive(const ReceiveContext& in, Request& request) {
    http::Exchange& exchange = request.exchange;
    const std::string_view name = name_of(in, request.id);
    Counted counted(in.calls, name, exchange);
    if (const auto fit = counted.take(); !fit) co_return fit.error();
    if (name.empty()) co_return no_hook();
    const auto hook = co_await webhook_in(in.system, in.secret, name);
    if (!hook) co_return hook.error();
    if (!*hook) co_return no_hook();
    counted.is_there();
    const auto fit = check(**hook, exchange);
    if (!fit) co_return fit.error();
    counted.is_verified((*hook)->scheme);
    if (answer_challenge((*hook)->scheme, exchange)) co_return Done();
    if ((*hook)->built_in && name == in.built_in.name) {
        const Done done = co_await in.built_in.take(exchange);
        co_return done;
    }
    const Done done = co_await take(in, exchange, name, **hook);
    co_return done;
}

}  // namespace

route::Endpoint receiving_route(const ReceiveContext& in) {
    return {.method = Method::post,
            .path = kReceivingPath,
            .entry = route::Entry::open,
            .handler = [&in](Request& request) { return receive(in, request); },
            .foreign_params = true,
            .kept_address = true};
}

}  // namespace svc::hook
