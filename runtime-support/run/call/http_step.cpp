#include "run/call/http_step.hpp"

#include "base/url_host.hpp"
#include "identity/secret/project_secret.hpp"

namespace svc::run {
namespace {

// Its value may go to the host of this address; else what keeps the step from it.
struct Found {
    std::string value;
    ServiceResult problem;
};

Task<Found> find_secret(const HttpStepContext& in, const std::string& name,
                        const std::string& url) {
    Found out;
    const std::string host = base::host_of(url);
    const auto bound = co_await identity::project_secret(in.system, in.secret, name, host);
    if (!bound) {
        out.problem = failed(Code::unavailable,
                             "The project's secrets cannot be read right now. Try again.", true);
        co_return out;
    }
    out.value = bound->value_or("");
    if (!out.value.empty()) co_return out;
    const auto any = co_await identity::project_secret(in.system, in.secret, name);
    const bool foreign = any && any->has_value() && !bound->has_value();
    out.problem = foreign
                      ? failed(StepCode::secret_not_for_host,
                               "The secret " + name + " may not be sent to " + host + ".")
                      : failed(StepCode::secret_missing, "The project has no secret " + name + ".");
    co_return out;
}

}  // namespace

Task<ServiceResult> HttpStep::perform(ServiceCall call) {
    Prepared prepared = prepare(call);
    if (prepared.refused) co_return std::move(*prepared.refused);
    outgoing::Fetch& fetch = prepared.fetch;
    std::vector<std::string> secrets;
    for (const auto& [header, name] : call.secrets.members) {
        Found found = co_await find_secret(in_, name.text, fetch.url);
        if (!found.problem.error.empty()) co_return std::move(found.problem);
        if (!add_header(fetch, header, found.value))
            co_return failed(StepCode::header_refused,
                             "The secret " + name.text + " must be a single line.");
        secrets.push_back(std::move(found.value));
    }
    fetch.allowed = in_.allowed;
    const outgoing::Fetched fetched = co_await in_.calls.send(std::move(fetch));
    co_return read_answer(call, fetched, secrets);
}

}  // namespace svc::run
