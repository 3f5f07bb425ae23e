// A step's call to a service outside the database, its result, and the services.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.hpp"
#include "http/task.hpp"
#include "json/value.hpp"
#include "run/step_code.hpp"

namespace svc::run {

// The kinds of steps that call a service.
enum class ServiceKind : std::uint8_t { http, connector, mcp, ai, embed };

}  // namespace svc::run

template <>
struct svc::base::Words<svc::run::ServiceKind> {
    static constexpr std::array<std::string_view, 5> kAll = {"http", "connector", "mcp", "ai",
                                                             "embed"};
};

namespace svc::run {

// The call, as svc.advance and svc.run_function answer it.
struct ServiceCall {
    std::string path;                      // of the step in its run
    std::string kind_name;                 // as the database says it
    std::optional<ServiceKind> kind = {};  // none: this server has no such kind
    std::string idempotency_key;
    std::int64_t attempt = 1;
    std::int64_t timeout = 0;  // seconds; 0: none is said
    json::Value request;       // an object of the kind's own
    json::Value secrets;       // of http: names of secrets by header
    json::Value accept;        // of http: statuses that are no failure
};

struct ServiceResult {
    std::string output;       // JSON; where `error` is empty
    std::string error, code;  // in words, for who operates the app; without any secret
    bool retryable = false;
    std::optional<std::int64_t> retry_after = {};  // seconds
};

// The result of a step that failed.
ServiceResult failed(FailureCode code, std::string error, bool retryable = false);

// The same call may be made again with the same key, if a server died meanwhile. Never throws.
class Service {
  public:
    virtual ~Service() = default;
    virtual Task<ServiceResult> perform(ServiceCall call) = 0;
};

// The services by kind of step. They outlive their callers.
using Services = std::map<ServiceKind, Service*>;

// Makes the call. A kind without a service is a failure without a retry.
Task<ServiceResult> perform(const Services& services, ServiceCall call);

// Reads the call from the object that names a step outside.
ServiceCall read_call(const json::Value& answer);
// The step's result as the JSON that svc.advance and svc.run_function take.
std::string result_of(std::string_view path, const ServiceResult& result);

}  // namespace svc::run
