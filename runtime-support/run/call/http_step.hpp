// Steps that call others over HTTP: http.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "db/pool.hpp"
#include "outgoing/calls.hpp"
#include "run/service.hpp"

namespace svc::run {

// The parts that calls use; outlives them.
struct HttpStepContext {
    db::Pool& system;           // has the project's secrets
    const std::string& secret;  // that they are sealed with: Settings::secret
    const outgoing::AllowedHosts& allowed;
    outgoing::Calls& calls;
};

class HttpStep final : public Service {
  public:
    explicit HttpStep(const HttpStepContext& in) : in_(in) {}
    Task<ServiceResult> perform(ServiceCall call) override;

  private:
    const HttpStepContext in_;
};

// A request without its secrets, or the reason why it is not sent.
struct Prepared {
    outgoing::Fetch fetch;
    std::optional<ServiceResult> refused = {};
};
Prepared prepare(const ServiceCall& call);
// Adds a header. Returns false if a step may not set this header, or if the value contains a line
// break.
bool add_header(outgoing::Fetch& fetch, std::string_view name, std::string_view value);

// ": " and the beginning of a body, in whole characters, for an error message; "." for an empty
// body. PostgreSQL can store the text.
std::string begin_of(std::string_view body);

// Turns an answer into the result of its step.
ServiceResult read_answer(const ServiceCall& call, const outgoing::Fetched& fetched,
                          const std::vector<std::string>& secrets);

}  // namespace svc::run
