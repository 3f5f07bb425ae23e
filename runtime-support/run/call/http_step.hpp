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

// A request as it is sent, but for its secrets; or why it is not.
struct Prepared {
    outgoing::Fetch fetch;
    std::optional<ServiceResult> refused = {};
};
Prepared prepare(const ServiceCall& call);
// Adds a header; false where its name is not a step's to set, or it would not stay in one line.
bool add_header(outgoing::Fetch& fetch, std::string_view name, std::string_view value);

// ": " and as much of a body as a person needs to see what went wrong, in whole characters; "." of
// an empty one. A text that PostgreSQL can store.
std::string begin_of(std::string_view body);

// Turns an answer into the result of its step.
ServiceResult read_answer(const ServiceCall& call, const outgoing::Fetched& fetched,
                          const std::vector<std::string>& secrets);

}  // namespace svc::run
