#include "connector/call.hpp"

#include <ctime>

#include "connector/action_request.hpp"
#include "json/schema.hpp"
#include "outgoing/retry_after.hpp"
#include "run/call/http_step.hpp"
#include "run/call/mask.hpp"

namespace svc::connector {
namespace {

Outcome read_answer(const outgoing::Fetched& fetched, const std::vector<std::string>& secrets) {
    if (fetched.status == 0) {
        Outcome out = no_answer(fetched);
        out.error = run::masked(out.error, secrets);
        return out;
    }
    Outcome out;
    out.status = fetched.status;
    std::string body = run::masked(fetched.body, secrets);
    if (fetched.ok()) {
        out.data = as_json(std::move(body), fetched.header("content-type"));
        return out;
    }
    out.error =
        "The service answered with status " + std::to_string(fetched.status) + run::begin_of(body);
    out.retryable = fetched.status >= 500 || fetched.status == 429 || fetched.status == 408;
    if (out.retryable)
        out.retry_after = outgoing::retry_after(fetched.header("retry-after"), std::time(nullptr));
    return out;
}

}  // namespace

std::string misfit(const Integration& integration, const Action& action, const json::Value& props) {
    if (!props.is(json::Value::Kind::object)) return "\"props\" must be an object.";
    std::string why = json::misfit(props, action.schema);
    return why.empty() ? request_of(integration, action, props).problem : why;
}

Task<Outcome> call_action(const CallContext& in, const ActionCall& call,
                          const Credentials& credentials) {
    ActionRequest asked = request_of(call.integration, call.action, call.props);
    if (!asked.problem.empty()) co_return failed(asked.problem);
    const bool sendable = add_credentials(asked.fetch, call.integration.auth, credentials) &&
                          (call.idempotency_key.empty() ||
                           run::add_header(asked.fetch, "Idempotency-Key", call.idempotency_key));
    if (!sendable)
        co_return unmade("The secret " + call.integration.auth.secret + " must be a single line.");
    if (call.seconds > 0) asked.fetch.seconds = call.seconds;
    asked.fetch.allowed = in.allowed;
    const outgoing::Fetched fetched = co_await in.calls.send(std::move(asked.fetch));
    co_return read_answer(fetched, credentials.masked);
}

}  // namespace svc::connector
